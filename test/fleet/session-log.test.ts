import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RedisLog } from '../../src/fleet/log/redis-log.ts';
import type { Inbox, SessionLog } from '../../src/fleet/log/session-log.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import { SESSION_LOG_CONTRACT } from '../contracts/session-log.ts';
import { MemoryLog } from './memory-log.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const CHECKS = Object.entries(SESSION_LOG_CONTRACT);

describe('a log in memory', () => {
  test.each(CHECKS)('%s', (_title, check) => check(async () => new MemoryLog()));
});

describe.skipIf(!haveRedis)('a log on Redis', () => {
  const server = new RedisServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  const fresh = async (): Promise<SessionLog> => {
    const redis = await openRedis(server.url);
    await redis.flushall();
    return new RedisLog(redis);
  };
  test.each(CHECKS)('%s', (_title, check) => check(fresh));
});

/** Reads the inbox and the version apart, as the version of this design that failed did. */
class TornLog extends MemoryLog {
  override async read(session: string): Promise<Inbox> {
    const { turns } = await super.read(session);
    await new Promise(setImmediate);
    return { turns, version: (await super.read(session)).version };
  }
}

test('the contract notices a log that reads inbox and version apart', async () => {
  const failed: string[] = [];
  for (const [title, check] of CHECKS) await check(async () => new TornLog()).catch(() => failed.push(title));
  expect(failed).toEqual(['keeps turns that are added while others work']);
});
