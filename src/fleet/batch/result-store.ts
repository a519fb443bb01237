import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Redis } from 'ioredis';
import { isRecord, readOr } from '../../content/foreign-value.ts';
import type { ErrorData } from '../../threads/answer.ts';

/** What a worker found in the file at `path`; a file without a readable session has an error. */
export type StoredOutcome = { readonly path: string } & ({ readonly result: unknown } | { readonly error: ErrorData });

const PREFIX = 'density:result:';
/** Results that were not read since then are dropped. */
const LIFETIME_S = 30 * 24 * 3600;
const AT_ONCE = 100;
/** Announcements that a late reader can still find; whoever misses one looks for its result from time to time. */
const MAX_ANNOUNCED = 10_000;

/** Results of files on Redis: written once, read by every run that asks the same. */
export type ResultStore = ReturnType<typeof resultStore>;

export function resultStore(redis: Redis, queue: string) {
  const announcements = `density:done:${queue}`;
  return {
    has: async (key: string): Promise<boolean> => (await redis.exists(PREFIX + key)) === 1,

    /** The outcomes that exist, by key. A damaged one counts as absent, and is removed, so that it is made again. */
    async get(keys: readonly string[]): Promise<Map<string, StoredOutcome>> {
      const found = new Map<string, StoredOutcome>();
      for (let start = 0; start < keys.length; start += AT_ONCE) {
        const some = keys.slice(start, start + AT_ONCE);
        const values = await redis.mgetBuffer(some.map((key) => PREFIX + key));
        for (const [index, value] of values.entries()) {
          if (value === null) continue;
          const key = some[index]!;
          const outcome = readOutcome(value);
          if (outcome) found.set(key, outcome);
          // A worker writes only what is not there.
          else await redis.del(PREFIX + key);
        }
      }
      return found;
    },

    /** Writes an outcome unless there is one, and announces it. */
    async put(key: string, outcome: StoredOutcome): Promise<void> {
      const value = deflateRawSync(JSON.stringify(outcome));
      await redis.set(PREFIX + key, value, 'EX', LIFETIME_S, 'NX');
      await redis.xadd(announcements, 'MAXLEN', '~', MAX_ANNOUNCED, '*', 'key', key);
    },

    /** The place after the last announcement. */
    async end(): Promise<string> {
      const [last] = await redis.xrevrange(announcements, '+', '-', 'COUNT', 1);
      return last?.[0] ?? '0';
    },

    /** Waits for announcements after `from`, at most `waitMs`. `reader` is a connection of its own: it is blocked meanwhile. */
    async announced(reader: Redis, from: string, waitMs: number): Promise<{ keys: string[]; end: string }> {
      const streams = await reader.xread('COUNT', AT_ONCE, 'BLOCK', waitMs, 'STREAMS', announcements, from);
      const rows = streams?.[0]?.[1] ?? [];
      return { keys: rows.map(([, fields]) => fields[1]!), end: rows.at(-1)?.[0] ?? from };
    },
  };
}

function readOutcome(value: Buffer): StoredOutcome | undefined {
  const outcome: unknown = readOr(() => JSON.parse(inflateRawSync(value).toString()), undefined);
  return isOutcome(outcome) ? outcome : undefined;
}

const isOutcome = (value: unknown): value is StoredOutcome =>
  isRecord(value) &&
  typeof value['path'] === 'string' &&
  ('result' in value || (isRecord(value['error']) && typeof value['error']['message'] === 'string'));
