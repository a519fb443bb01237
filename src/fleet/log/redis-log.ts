import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { asOneValue, PUSH } from '../redis-lines.ts';
import { type Commit, type Enqueued, type Inbox, MAX_TURNS, type SessionLog, type Turn } from './session-log.ts';

const PENDING = 'density:pending';
const PREFIX = 'density:session:';
/** The form of lines and turns that this build writes, and the key of the newest form on the server. */
const FORM = 1;
const FORM_KEY = 'density:sessions:form';

/** Each script is one step for everybody else. Times are those of the server: clocks of workers may be wrong. */
const ENQUEUE = `
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return known == ARGV[2] and 'known' or 'refused' end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[3], 'NX', redis.call('TIME')[1] * 1000, ARGV[4])
return 'added'`;
const READ = `
redis.call('SETNX', KEYS[3], ARGV[2])
local inbox = redis.call('LRANGE', KEYS[1], 0, ARGV[1] - 1)
return { redis.call('GET', KEYS[2]) or '0', inbox, redis.call('GET', KEYS[3]) }`;
const COMMIT = `${PUSH}
if (redis.call('GET', KEYS[3]) or '0') ~= ARGV[1] then return -1 end
push(KEYS[2], ARGV[4])
redis.call('LTRIM', KEYS[1], ARGV[2], -1)
if redis.call('LLEN', KEYS[1]) == 0 then redis.call('ZREM', KEYS[4], ARGV[3]) end
return redis.call('INCR', KEYS[3])`;
const LOAD = `
return { redis.call('GET', KEYS[2]) or '0', redis.call('LRANGE', KEYS[1], ARGV[1], -1) }`;
const WAITING = `
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', redis.call('TIME')[1] * 1000 - ARGV[1])`;

/** A log on a Redis server, for any number of processes. */
export class RedisLog implements SessionLog {
  readonly #redis: Redis;
  /** True if a newer build writes these sessions in a form that this one may misread; `read` throws then. */
  isOutdated = false;

  /** `redis` comes from `openRedis`, which checks that the server keeps what it is given. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async enqueue(session: string, turn: Turn): Promise<Enqueued> {
    const { inbox, seen } = keysOf(session);
    const hash = createHash('sha256').update(turn.payload).digest('hex');
    const keys = [inbox, seen, PENDING];
    return (await this.#redis.eval(ENQUEUE, 3, ...keys, turn.id, hash, JSON.stringify(turn), session)) as Enqueued;
  }

  async read(session: string): Promise<Inbox> {
    const { inbox, version } = keysOf(session);
    const answer = await this.#redis.eval(READ, 3, inbox, version, FORM_KEY, MAX_TURNS, FORM);
    const [number, turns, form] = answer as [string, string[], string];
    this.isOutdated = Number(form) > FORM;
    if (this.isOutdated) throw new Error('A newer version of density writes these sessions. Update this process.');
    return { version: Number(number), turns: turns.map((turn) => JSON.parse(turn) as Turn) };
  }

  async commit(session: string, { expected, lines, taken }: Commit): Promise<number | undefined> {
    const { inbox, log, version } = keysOf(session);
    const keys = [inbox, log, version, PENDING];
    const values = [String(expected), taken, session, asOneValue(lines)];
    const number = Number(await this.#redis.eval(COMMIT, 4, ...keys, ...values));
    return number === -1 ? undefined : number;
  }

  async load(session: string, from: number): Promise<{ version: number; lines: readonly string[] }> {
    const { log, version } = keysOf(session);
    const [number, lines] = (await this.#redis.eval(LOAD, 2, log, version, from)) as [string, string[]];
    return { version: Number(number), lines };
  }

  async pending(olderThanMs: number): Promise<readonly string[]> {
    return (await this.#redis.eval(WAITING, 1, PENDING, olderThanMs)) as string[];
  }

  /** Sessions with a turn that waits. */
  waiting(): Promise<number> {
    return this.#redis.zcard(PENDING);
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
  }
}

const keysOf = (session: string): { inbox: string; seen: string; log: string; version: string } => ({
  inbox: `${PREFIX}${session}:inbox`,
  seen: `${PREFIX}${session}:seen`,
  log: `${PREFIX}${session}:log`,
  version: `${PREFIX}${session}:version`,
});
