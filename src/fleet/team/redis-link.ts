import type { Redis } from 'ioredis';
import { type ImpatientRun, impatientWork, LONGEST_WAIT_MS } from '../../proxy/impatient-work.ts';

/** A server that did not answer in time is asked again after this. */
const RETRY_MS = 1_000;

interface RedisLinkOptions {
  /** Called with each failure. */
  readonly onTrouble?: (what: string) => void;
  /** The longest wait for an answer; default: half a second. */
  readonly waitMs?: number;
}

/**
 * The server that the replicas of a team's proxy share. Nobody waits for it long; after a wait in vain it is not asked for a second,
 * or until it answers.
 */
export class RedisLink {
  readonly redis: Redis;
  /** Rises with each connection: a server that was gone may have lost its last second. */
  connection = 1;
  /** The longest wait for an answer. */
  readonly waitMs: number;
  readonly #inTime: ImpatientRun;
  readonly #onTrouble: ((what: string) => void) | undefined;

  /** `redis` comes from `openRedis` with `failsAtOnce`. */
  constructor(redis: Redis, { onTrouble, waitMs = LONGEST_WAIT_MS }: RedisLinkOptions = {}) {
    this.redis = redis;
    this.waitMs = waitMs;
    this.#onTrouble = onTrouble;
    this.#inTime = impatientWork({ waitMs, retryMs: RETRY_MS });
    redis.on('ready', () => {
      this.connection++;
    });
  }

  /** The server's answer. @throws if it has none in time. */
  eval(script: string, keys: readonly string[], ...values: readonly (string | number)[]): Promise<unknown> {
    return this.run(() => this.redis.eval(script, keys.length, ...keys, ...values));
  }

  async run<Answer>(ask: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#inTime(() => ask(this.redis));
    } catch (error) {
      this.#onTrouble?.('the Redis server did not answer in time: meanwhile nothing new is removed');
      throw error;
    }
  }

  close(): void {
    this.redis.disconnect();
  }
}
