import type { Redis } from 'ioredis';
import { CompressionStrategyError, codeOf } from '../errors.ts';

/** Longest pause between two attempts to reach a server that is gone. */
const LONGEST_PAUSE_MS = 2_000;
/** The same where commands fail meanwhile. */
const LONGEST_ABSENCE_MS = 250;

const refused = (message: string, cause?: unknown): CompressionStrategyError =>
  new CompressionStrategyError(message, 'USAGE', { cause });

/** Host, port and database of a URL: never its password. */
export function redisName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

function checkedUrl(text: string): string {
  const isRedis = URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
  if (!isRedis) throw refused('Expected --redis as redis://host:port or rediss://user:password@host:port.');
  return text;
}

/** The packages that work with Redis are optional, so only people who use Redis install them. */
export async function fleetPackage<Package>(load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw refused('Expected the packages that work with Redis. Install them: npm install bullmq ioredis', error);
  }
}

/** True if `info`, the text of INFO, has this line. */
const says = (info: string, line: string): boolean => info.split('\r\n').includes(line);

/** Commands whose answer is lost are not sent again: whoever asked has gone on. */
const AT_ONCE = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 };
/** A connection on which an answer is missing for so long is closed. */
const SILENT_MS = 3_000;

/**
 * A connection to a server that keeps what it is given. `failsAtOnce`: commands fail at once while the server is gone; else they wait until
 * it is back.
 * @throws CompressionStrategyError `USAGE` for a wrong URL, a server that cannot be reached, or one that may drop keys or
 * forgets them when it stops.
 */
export async function openRedis(url: string, { failsAtOnce = false } = {}): Promise<Redis> {
  const { Redis: Client } = await fleetPackage(() => import('ioredis'));
  const redis = new Client(checkedUrl(url), {
    lazyConnect: true,
    ...(failsAtOnce ? { ...AT_ONCE, socketTimeout: SILENT_MS } : { maxRetriesPerRequest: null }),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, failsAtOnce ? LONGEST_ABSENCE_MS : LONGEST_PAUSE_MS),
  });
  // Each command reports its own failure; without a listener this event would end the process.
  redis.on('error', () => {});
  try {
    await redis.connect();
    await expectSafe(redis, redisName(url));
    return redis;
  } catch (error) {
    redis.disconnect();
    if (error instanceof CompressionStrategyError) throw error;
    throw refused(`Expected a Redis server at ${redisName(url)}, but it cannot be reached: ${String(error)}`, error);
  }
}

async function expectSafe(redis: Redis, name: string): Promise<void> {
  const memory = await redis.info('memory');
  if (!says(memory, 'maxmemory_policy:noeviction')) {
    throw refused(
      `Expected the Redis at ${name} to keep every key (maxmemory-policy noeviction). Mend it: redis-cli config set maxmemory-policy noeviction`,
    );
  }
  const persistence = await redis.info('persistence');
  if (says(persistence, 'aof_enabled:1')) return;
  throw refused(
    `Expected the Redis at ${name} to write its keys to disk (appendonly yes). Mend it: redis-cli config set appendonly yes`,
  );
}
