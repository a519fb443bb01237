import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RedisLink } from '../../src/fleet/team/redis-link.ts';
import { redisStore } from '../../src/fleet/team/redis-store.ts';
import type { PrunerStore } from '../../src/live/contract.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { PRUNER_STORE_CONTRACT } from '../contracts/pruner-store.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const folders: string[] = [];
const folder = (): string => {
  folders.push(mkdtempSync(path.join(tmpdir(), 'density-store-')));
  return folders.at(-1)!;
};
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

const CHECKS = Object.entries(PRUNER_STORE_CONTRACT);

describe('a store in memory', () => {
  test.each(CHECKS)('%s', async (_title, check) => {
    const store = memoryStore();
    await check(async () => store);
  });
});

describe('a store in a folder', () => {
  test.each(CHECKS)('%s', async (_title, check) => {
    const place = folder();
    await check(async () => fileStore(place));
  });
});

describe.skipIf(!haveRedis)('a store on Redis', () => {
  const server = new RedisServer();
  const links: RedisLink[] = [];
  beforeAll(() => server.start());
  afterAll(async () => {
    for (const link of links) link.close();
    await server.remove();
  });
  const opened = async (prefix: string): Promise<PrunerStore> => {
    const link = await server.link();
    links.push(link);
    return redisStore({ link, prefix, keepSeconds: 60 });
  };

  test.each(CHECKS)('%s', (title, check) => check(() => opened(`${title}:`)));

  test('drops what is not used any more', async () => {
    const store = await opened('idle:');
    await store.append('c', ['{"a":1}']);
    expect(await links[0]!.redis.ttl('idle:c')).toBeGreaterThan(0);
    const { version } = await store.load('c');
    await links[0]!.redis.del('idle:c');
    expect(await store.load('c', version)).toMatchObject({ lines: [], isWhole: true });
  });

  test('fails at once while the server is gone, and gives everything again when it is back', async () => {
    const store = await opened('gone:');
    await store.append('c', ['{"a":1}']);
    const { version } = await store.load('c');
    await server.kill();
    await expect(store.load('c', version)).rejects.toThrow();
    await expect(store.append('c', ['{"late":1}'], version)).rejects.toThrow();
    await server.start();
    await expect
      .poll(() => store.load('c', version).catch(() => undefined))
      .toMatchObject({ lines: ['{"a":1}'], isWhole: true });
    expect(await store.append('c', ['{"b":2}'], version)).toBeUndefined();
  });
});

/** Looks at the version and appends apart. */
function tornStore(): PrunerStore {
  const store = memoryStore();
  return {
    ...store,
    async append(conversation, lines, expected) {
      const { version } = await store.load(conversation);
      if (expected !== undefined && version !== expected) return undefined;
      await new Promise(setImmediate);
      return store.append(conversation, lines);
    },
  };
}

test('the contract notices a store that looks at the version and appends apart', async () => {
  const failed: string[] = [];
  for (const [title, check] of CHECKS) {
    const store = tornStore();
    await check(async () => store).catch(() => failed.push(title));
  }
  expect(failed).toEqual(['lets one of many rivals win']);
});
