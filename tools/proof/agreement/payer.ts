import { createHash } from 'node:crypto';
import type { MarkLifetime } from '../../../src/lab/lint/rules/cache-marks.ts';

interface Part {
  readonly hash: string;
  readonly characters: number;
}

type Message = Readonly<{ role: string; content: unknown }>;

const READ = 0.1;
const MINUTE_MS = 60_000;
/** System prompt and tools: they are always read, but where the cache is cold. */
const BESIDE: Part = { hash: 'beside', characters: 50_000 };

const isCacheMark = (key: string): boolean => key === 'cache_control';

function partsOf({ role, content }: Message): Part[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  return blocks.map((block) => {
    const text = JSON.stringify(block, (key, value) => (isCacheMark(key) ? undefined : value));
    return { hash: createHash('sha1').update(`${role} ${text}`).digest('base64'), characters: text.length };
  });
}

/**
 * Pays for requests by nothing but their own text, in characters at the price of input: the blocks with which a request and
 * the one before begin are read from the cache during its lifetime, the others are written. Shares no code with what decides.
 */
export class Payer {
  readonly #lifetimeMs: number;
  readonly #write: number;
  #last: readonly Part[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;
  bill = 0;

  constructor(ttl: MarkLifetime) {
    this.#lifetimeMs = (ttl === '1h' ? 60 : 5) * MINUTE_MS;
    this.#write = ttl === '1h' ? 2 : 1.25;
  }

  pay(messages: readonly unknown[], atMs: number): void {
    const parts = [BESIDE, ...(messages as readonly Message[]).flatMap(partsOf)];
    let isRead = atMs - this.#lastMs < this.#lifetimeMs;
    for (const [at, { hash, characters }] of parts.entries()) {
      isRead &&= this.#last[at]?.hash === hash;
      this.bill += characters * (isRead ? READ : this.#write);
    }
    this.#last = parts;
    this.#lastMs = atMs;
  }
}
