import type { PrunerStore } from '../../live/contract.ts';
import { asOneValue, PUSH } from '../redis-lines.ts';
import type { RedisLink } from './redis-link.ts';

/** A command that arrives later than this share of its caller's wait was given up, and the request was sent without it. */
const LATE_SHARE = 0.8;
/** Versions of one connection differ by less: those of another one are not to be trusted. */
const MAX_LINES = 1e9;

/** Each script is one step for everybody else. The clock is that of the server. */
const LOAD = `
local size = redis.call('LLEN', KEYS[1])
local time = redis.call('TIME')
local from = tonumber(ARGV[1])
if from > size then from = 0 end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return { size, now, from, size > from and redis.call('LRANGE', KEYS[1], from, -1) or {} }`;
const APPEND = `${PUSH}
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[2]) then return redis.error_reply('LATE') end
local size = redis.call('LLEN', KEYS[1])
if ARGV[1] ~= '' and tonumber(ARGV[1]) ~= size then return -1 end
push(KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('LLEN', KEYS[1])`;

export interface KeptOn {
  readonly link: RedisLink;
  /** Before every key. */
  readonly prefix: string;
  /** What was not used for so long is dropped. */
  readonly keepSeconds: number;
}

/**
 * Decisions on a Redis server, for any number of pruners. The version is the number of lines, and of the connection: after another
 * connection everything is read again.
 */
export function redisStore({ link, prefix, keepSeconds }: KeptOn): PrunerStore {
  /** What the clock of the server is ahead of that of this process. */
  let aheadMs: number | undefined;
  const versionOf = (size: number): number => link.connection * MAX_LINES + size;
  const sizeOf = (version: number): number | undefined =>
    Math.floor(version / MAX_LINES) === link.connection ? version % MAX_LINES : undefined;
  return {
    isShared: true,
    async load(conversation, after) {
      const known = after === undefined ? undefined : sizeOf(after);
      const reply = await link.eval(LOAD, [prefix + conversation], known ?? 0);
      const [size, nowMs, from, lines] = reply as [number, number, number, string[]];
      aheadMs = nowMs - performance.now();
      return { lines, version: versionOf(size), isWhole: known === undefined || from !== known, nowMs };
    },
    async append(conversation, lines, expected) {
      const size = expected === undefined ? '' : sizeOf(expected);
      if (size === undefined) return undefined;
      const lateAt =
        aheadMs === undefined
          ? Number.MAX_SAFE_INTEGER
          : Math.round(aheadMs + performance.now() + LATE_SHARE * link.waitMs);
      const reply = await link.eval(APPEND, [prefix + conversation], size, lateAt, keepSeconds, asOneValue(lines));
      return reply === -1 ? undefined : versionOf(Number(reply));
    },
  };
}
