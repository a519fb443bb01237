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
export interface Nodes {
  /** How many are there, as far as this one knows. */
  size(): number;
  ownerOf(session: string): string;
  /** Owns nothing from now on, if there is another one; the others know it with their next beat. */
  leave(): Promise<void>;
  close(): void;
}

/** Joins the nodes. */
export async function joinNodes(redis: Redis, own: string): Promise<Nodes> {
  let nodes: readonly string[] = [own];
  let hasLeft = false;
  const beat = async (): Promise<void> => {
    const seen = (await redis.eval(SEEN, 1, KEY, hasLeft ? '' : own, GONE_MS)) as string[];
    const others = seen.filter((node) => node !== own);
    nodes = hasLeft ? others : [...others, own];
  };
  await beat();
  return {
    size: () => nodes.length,
    ownerOf: (session) => ownerOf(session, nodes) ?? own,
    async leave() {
      hasLeft = true;
      nodes = nodes.filter((node) => node !== own);
      await redis.zrem(KEY, own);
    },
    close: every(BEAT_MS, beat),
  };
}
