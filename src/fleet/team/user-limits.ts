import { randomUUID } from 'node:crypto';
import { every } from '../every.ts';
import type { RedisLink } from './redis-link.ts';
import type { TeamUser } from './team-tokens.ts';

const PREFIX = 'density:team:use:';
/** What a replica says about a user counts so long; while answers run it says it again and again. */
const COUNTS_MS = 15_000;
const REPEAT_MS = 5_000;

/** Counts a request if the limits allow it: 0, or milliseconds until it is worth trying again. The clock is that of the server. */
const ENTER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local running = tonumber(ARGV[2])
local replicas = redis.call('HGETALL', KEYS[2])
for index = 1, #replicas, 2 do
  local count, till = string.match(replicas[index + 1], '(%d+)@(%d+)')
  if not till or tonumber(till) <= now then redis.call('HDEL', KEYS[2], replicas[index])
  elseif replicas[index] ~= ARGV[1] then running = running + tonumber(count) end
end
if running > tonumber(ARGV[4]) then return 1000 end
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], 60000) end
if used > tonumber(ARGV[3]) then return math.max(1, redis.call('PTTL', KEYS[1])) end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. '@' .. string.format('%.0f', now + ARGV[5]))
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 0`;
const SAY = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '0' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '@' .. string.format('%.0f', now + ARGV[3]))
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

const keysOf = (user: string): [minute: string, running: string] => [
  `${PREFIX}${user}:minute`,
  `${PREFIX}${user}:running`,
];

/** Counts the requests of users over all replicas. */
export interface UserLimits {
  /** The seconds to wait if the user sends too many; otherwise undefined, and `left` must follow. */
  enter(user: TeamUser): Promise<number | undefined>;
  left(user: string): void;
  close(): void;
}

/**
 * While the server does not answer, a replica counts its own running requests. A replica that was killed is forgotten after 15
 * seconds.
 */
export function userLimits(link: RedisLink): UserLimits {
  const replica = randomUUID();
  const running = new Map<string, number>();
  const say = (user: string): void => {
    const [, key] = keysOf(user);
    link.eval(SAY, [key], replica, running.get(user) ?? 0, COUNTS_MS).catch(() => {});
  };
  const left = (user: string): void => {
    const count = (running.get(user) ?? 1) - 1;
    if (count > 0) running.set(user, count);
    else running.delete(user);
    say(user);
  };
  const sayAll = (): void => {
    for (const user of running.keys()) say(user);
  };
  return {
    async enter({ user, limit }) {
      const count = (running.get(user) ?? 0) + 1;
      running.set(user, count);
      const waitMs = await link
        .eval(ENTER, keysOf(user), replica, count, limit.perMinute, limit.atOnce, COUNTS_MS)
        .catch(() => (count > limit.atOnce ? 1_000 : 0));
      if (waitMs === 0) return undefined;
      left(user);
      return Math.ceil(Number(waitMs) / 1_000);
    },
    left,
    close: every(REPEAT_MS, sayAll),
  };
}
