import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { archiveName } from '../../src/disk/block-archive.ts';
import { redisArchive } from '../../src/fleet/team/redis-archive.ts';
import type { RedisLink } from '../../src/fleet/team/redis-link.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const result = (text: string): ContentBlock => ({ type: 'tool_response', callId: 'c', toolName: 'Read', result: text });
const ONE = result('one');
const OTHER = result('other');
const keyOf = (block: ContentBlock): string => `text:${archiveName(block)}`;
const packed = (block: ContentBlock, level = -1): Buffer => deflateRawSync(JSON.stringify(block), { level });

describe.skipIf(!haveRedis)('removed texts on Redis', () => {
  const server = new RedisServer();
  let link: RedisLink;
  beforeAll(async () => {
    await server.start();
    link = await server.link();
  });
  afterAll(async () => {
    link.close();
    await server.remove();
  });
  const archive = () => redisArchive({ link, prefix: 'text:', keepSeconds: 60 });

  test('are kept, some of them twice, and found by the name in a marker', async () => {
    await archive().keep([ONE, OTHER, ONE]);
    expect(await archive().find(archiveName(ONE))).toEqual(ONE);
    expect(await archive().find(archiveName(OTHER))).toEqual(OTHER);
    expect(await archive().find('000000000000')).toBeUndefined();
  });

  test('are kept for longer when they are kept again, by any version of Node', async () => {
    await link.redis.set(keyOf(ONE), packed(ONE, 0), 'EX', 5);
    await archive().keep([ONE]);
    expect(await link.redis.ttl(keyOf(ONE))).toBeGreaterThan(5);
  });

  test.each([
    ['another text', packed(OTHER)],
    ['damaged bytes', Buffer.from('damaged')],
  ])('are neither written over nor given for %s of the same name', async (_what, bytes) => {
    await link.redis.set(keyOf(ONE), bytes, 'EX', 5);
    await expect(archive().keep([OTHER, ONE])).rejects.toThrow(`kept as ${archiveName(ONE)}`);
    expect(await link.redis.getBuffer(keyOf(ONE))).toEqual(bytes);
    expect(await archive().find(archiveName(ONE))).toBeUndefined();
  });

  test('are not counted as kept if the server fails for one', async () => {
    await link.redis.del(keyOf(ONE));
    await link.redis.lpush(keyOf(ONE), 'a list');
    await expect(archive().keep([ONE])).rejects.toThrow('WRONGTYPE');
  });
});
