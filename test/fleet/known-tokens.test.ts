import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KnownTokens, knownTokens } from '../../src/fleet/team/known-tokens.ts';
import type { RedisLink } from '../../src/fleet/team/redis-link.ts';
import { addToken, listTokens, revokeTokens } from '../../src/fleet/team/team-tokens.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

const KEY = 'density:team:tokens';
const LIMIT = { perMinute: 9, atOnce: 3 };

describe.skipIf(!haveRedis)('the tokens that a replica knows', () => {
  const server = new RedisServer();
  let link: RedisLink;
  let known: KnownTokens;
  const troubles: string[] = [];
  beforeAll(() => server.start());
  afterAll(() => server.remove());
  beforeEach(async () => {
    troubles.length = 0;
    link = await server.link();
    await link.redis.flushall();
    known = await knownTokens(link, (what) => void troubles.push(what));
  });
  afterEach(() => {
    known.close();
    link.close();
  });
  const usersOf = (...tokens: string[]): (string | undefined)[] => tokens.map((one) => known.userOf(one)?.user);

  test('follow what is made and revoked, also where a record cannot be read', async () => {
    const alice = await addToken(link.redis, 'alice', LIMIT);
    const bob = await addToken(link.redis, 'bob', LIMIT);
    await known.refresh();
    expect([usersOf(alice, bob), troubles]).toEqual([['alice', 'bob'], []]);
    await link.redis.hset(KEY, 'f00df00df00d', 'no JSON');
    await link.redis.hset(KEY, 'badbadbadbad', '{"user":"mallory","page":"x","limit":{}}');
    const [id] = (await listTokens(link.redis)).map((one) => one.id);
    expect(await revokeTokens(link.redis, 'alice')).toMatchObject([{ user: 'alice', id }]);
    await known.refresh();
    expect(usersOf(alice, bob)).toEqual([undefined, 'bob']);
    expect(troubles).toEqual([expect.stringMatching(/^2 of 3 records of tokens cannot be read/)]);
    expect((await listTokens(link.redis)).slice(1)).toEqual(
      expect.arrayContaining([
        { id: 'f00df00d', isDamaged: true },
        { id: 'badbadba', isDamaged: true },
      ]),
    );
    expect(await revokeTokens(link.redis, 'f00df00d')).toEqual([{ id: 'f00df00d', isDamaged: true }]);
    expect(await link.redis.hlen(KEY)).toBe(2);
  });

  test('do not contain one whose record is gone, however that happened', async () => {
    const alice = await addToken(link.redis, 'alice', LIMIT);
    const bob = await addToken(link.redis, 'bob', LIMIT);
    await known.refresh();
    const [hash = ''] = await link.redis.hkeys(KEY);
    const { user } = JSON.parse((await link.redis.hget(KEY, hash)) ?? '{}');
    await link.redis.hdel(KEY, hash);
    await known.refresh();
    expect(usersOf(alice, bob)).toEqual(['alice', 'bob'].map((name) => (name === user ? undefined : name)));
    await link.redis.del(KEY);
    await known.refresh();
    expect([usersOf(alice, bob), troubles]).toEqual([[undefined, undefined], []]);
  });

  test('outlive a server that came back empty, which is said, until one is made again', async () => {
    const alice = await addToken(link.redis, 'alice', LIMIT);
    await known.refresh();
    await link.redis.flushall();
    await known.refresh();
    expect(usersOf(alice)).toEqual(['alice']);
    expect(troubles).toEqual([expect.stringContaining('the Redis server has lost its tokens')]);
    // The count of changes begins again: it is the same number as before.
    await server.kill();
    await server.start();
    await expect.poll(() => link.redis.status).toBe('ready');
    const bob = await addToken(link.redis, 'bob', LIMIT);
    await known.refresh();
    expect(usersOf(alice, bob)).toEqual([undefined, 'bob']);
  });
});
