import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { every } from '../every.ts';

const KEY = 'density:nodes';
const BEAT_MS = 500;
/** A node that was not seen for so long owns nothing. */
const GONE_MS = 2_000;
const SEEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2] * 30)
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[2], '+inf')`;

/** The node that a session belongs to: the highest hash of both. When a node leaves, only its own sessions move. */
export function ownerOf(session: string, nodes: readonly string[]): string | undefined {
  const score = (node: string): string => createHash('sha256').update(`${node} ${session}`).digest('hex');
  return nodes.reduce<string | undefined>(
    (best, node) => (best === undefined || score(node) > score(best) ? node : best),
    undefined,
  );
}

/** Which nodes are there. It only makes work faster: two nodes that both think a session is theirs do no harm. */
export class Nodes {
  readonly #redis: Redis;
  readonly #own: string;
  #nodes: readonly string[];
  #hasLeft = false;
  /** Says no more that it is there. */
  close = (): void => {};

  constructor(redis: Redis, own: string) {
    this.#redis = redis;
    this.#own = own;
    this.#nodes = [own];
  }

  async join(): Promise<void> {
    await this.#beat();
    this.close = every(BEAT_MS, () => this.#beat());
  }

  /** How many are there, as far as this one knows. */
  get size(): number {
    return this.#nodes.length;
  }

  ownerOf(session: string): string {
    return ownerOf(session, this.#nodes) ?? this.#own;
  }

  /** Owns nothing from now on, if there is another one; the others know it with their next beat. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#nodes = this.#nodes.filter((node) => node !== this.#own);
    await this.#redis.zrem(KEY, this.#own);
  }

  async #beat(): Promise<void> {
    const nodes = (await this.#redis.eval(SEEN, 1, KEY, this.#hasLeft ? '' : this.#own, GONE_MS)) as string[];
    const others = nodes.filter((node) => node !== this.#own);
    this.#nodes = this.#hasLeft ? others : [...others, this.#own];
  }
}
