import { readOr } from '../../content/foreign-value.ts';
import type { LoggedCall } from '../../proxy/call-log.ts';
import type { RedisLink } from './redis-link.ts';

const PREFIX = 'density:team:calls:';
/** The calls that are kept for each user, about as many as in some busy days. */
const MAX_CALLS = 5_000;

/** Calls after a place, in the order of their ends, and the place after them. */
interface FoundCalls {
  readonly calls: readonly LoggedCall[];
  readonly end: string;
}

/** The calls of each user, from all replicas, the newest ones; without any text of a conversation. */
export interface TeamCalls {
  /** Returns once it is kept. @throws if the server does not answer in time. */
  add(user: string, call: LoggedCall): Promise<void>;
  /** `after`: where the last answer ended; `-` for the beginning. @throws if the server does not answer in time. */
  after(user: string, after?: string): Promise<FoundCalls>;
}

export const teamCalls = (link: RedisLink, keepSeconds: number): TeamCalls => ({
  async add(user, call) {
    const key = PREFIX + user;
    await link.run(async (redis) => {
      await redis
        .pipeline()
        .xadd(key, 'MAXLEN', '~', MAX_CALLS, '*', 'call', JSON.stringify(call))
        .expire(key, keepSeconds)
        .exec();
    });
  },
  async after(user, after = '-') {
    const from = after === '-' ? after : `(${after}`;
    const rows = await link.run((redis) => redis.xrange(PREFIX + user, from, '+'));
    // Only `add` writes there. What is damaged all the same is left out.
    const calls = rows.flatMap(([, [, text = '']]) => readOr<LoggedCall, []>(() => JSON.parse(text) as LoggedCall, []));
    return { calls, end: rows.at(-1)?.[0] ?? after };
  },
});
