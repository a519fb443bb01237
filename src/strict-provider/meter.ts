import { madeOnce } from '../content/group-by.ts';
import { HOUR_MS } from '../durations.ts';
import type { CacheEvent } from './cache-behavior.ts';
import type { MeteredTokens, PromptPart } from './contract.ts';
import { type ModelRules, rulesOfModel } from './models.ts';

/** How long a cache keeps a prefix. */
interface Kept {
  readonly untilMs: number;
  /** For which it was written, and for which a read renews it. */
  readonly lifetimeMs: number;
}

/** A prefix of a prompt: equal prefixes are one node. */
export class PrefixNode {
  readonly #children = new Map<string, PrefixNode>();
  /** By account and model. */
  readonly #kept = new Map<string, Kept>();

  /** The prefix that also has this part. */
  after(key: string): PrefixNode {
    return madeOnce(this.#children, key, () => new PrefixNode());
  }

  /** True if the request finds the prefix in the cache. */
  isFound({ owner, nowMs, event }: CacheUse): boolean {
    return !event.isLost && (this.#kept.get(owner)?.untilMs ?? Number.NEGATIVE_INFINITY) > nowMs;
  }

  /** Reads the prefix if it is in the cache, and writes it otherwise: for a time that starts with the request. */
  use(use: CacheUse, lifetimeMs: number): void {
    const { owner, nowMs } = use;
    if (this.isFound(use)) this.read(use);
    else this.#kept.set(owner, { untilMs: nowMs + lifetimeMs, lifetimeMs });
  }

  /** A read renews the lifetime for which the prefix was written. */
  read({ owner, nowMs, event }: CacheUse): void {
    const kept = this.#kept.get(owner);
    if (kept && event.renews) this.#kept.set(owner, { ...kept, untilMs: nowMs + kept.lifetimeMs });
  }
}

/** A mark finds a prefix that ends at most this many parts before it, its own part included. */
const LOOKBACK_PARTS = 20;
/** Source: https://developers.openai.com/api/docs/guides/prompt-caching: from 1,024 tokens in increments of 128. */
const STEP_TOKENS = 128;

interface CacheUse {
  readonly root: PrefixNode;
  readonly cache: ModelRules['cache'];
  /** Of all lifetimes. */
  readonly lifetimeFactor: number;
  /** Account and model. */
  readonly owner: string;
  /** The start of the request, from which lifetimes count. */
  readonly nowMs: number;
  readonly event: CacheEvent;
}

type PromptTokens = Omit<MeteredTokens, 'output'>;

/** The input tokens of a prompt by their price. Reads the cache, refreshes what it read, and writes what is new. */
export function meterPrompt(parts: readonly PromptPart[], use: CacheUse): PromptTokens {
  const nodes: PrefixNode[] = [];
  const tokensUpTo: number[] = [];
  let node = use.root;
  let tokens = 0;
  for (const part of parts) {
    node = node.after(part.key);
    tokens += part.tokens;
    nodes.push(node);
    tokensUpTo.push(tokens);
  }
  return use.cache.kind === 'marks'
    ? meterMarks({ parts, nodes, tokensUpTo }, use)
    : meterPrefix({ nodes, tokensUpTo }, use);
}

interface Path {
  readonly nodes: readonly PrefixNode[];
  readonly tokensUpTo: readonly number[];
}

/** Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
function meterMarks(
  { parts, nodes, tokensUpTo }: Path & { parts: readonly PromptPart[] },
  use: CacheUse,
): PromptTokens {
  const { cache, lifetimeFactor } = use;
  const marks = parts.flatMap(({ mark }, at) =>
    mark !== undefined && tokensUpTo[at]! >= cache.leastTokens ? [at] : [],
  );
  const lifetimeMs = (at: number): number => (parts[at]!.mark === '1h' ? HOUR_MS : cache.lifetimeMs) * lifetimeFactor;
  let read = 0;
  for (const mark of marks) {
    for (let at = mark; at > mark - LOOKBACK_PARTS && at >= 0; at--) {
      if (!nodes[at]!.isFound(use)) continue;
      if (at < mark) nodes[at]!.read(use);
      read = Math.max(read, tokensUpTo[at]!);
      break;
    }
  }
  for (const mark of marks) nodes[mark]!.use(use, lifetimeMs(mark));
  const upTo = (mark: number | undefined): number => (mark === undefined ? 0 : tokensUpTo[mark]!);
  const cached = upTo(marks.at(-1));
  const cachedForAnHour = upTo(marks.findLast((at) => parts[at]!.mark === '1h'));
  const writtenForAnHour = Math.max(0, cachedForAnHour - read);
  return {
    read,
    writtenForAnHour,
    written: Math.max(0, cached - read - writtenForAnHour),
    uncached: (tokensUpTo.at(-1) ?? 0) - Math.max(cached, read),
  };
}

/** Source: https://developers.openai.com/api/docs/guides/prompt-caching */
function meterPrefix({ nodes, tokensUpTo }: Path, use: CacheUse): PromptTokens {
  const { cache, lifetimeFactor } = use;
  const found = nodes.findLastIndex((node) => node.isFound(use));
  const shared = found === -1 ? 0 : tokensUpTo[found]!;
  const read = shared < cache.leastTokens ? 0 : shared - (shared % STEP_TOKENS);
  const lifetimeMs = cache.lifetimeMs * lifetimeFactor;
  const total = tokensUpTo.at(-1) ?? 0;
  if (cache.kind === 'steps') for (const node of nodes) node.use(use, lifetimeMs);
  else if (total >= cache.leastTokens) {
    if (found !== -1 && found < nodes.length - 1) nodes[found]!.read(use);
    nodes.at(-1)!.use(use, lifetimeMs);
  }
  const isWritten = cache.kind === 'ends' && total >= cache.leastTokens;
  return { read, written: isWritten ? total - read : 0, writtenForAnHour: 0, uncached: isWritten ? 0 : total - read };
}

/**
 * The price of one request in US dollars; `undefined` without prices for the model. It reads what was metered and nothing
 * else, and shares no code with the decisions that it judges.
 */
export function billOf(
  model: string,
  { uncached, read, written, writtenForAnHour, output }: MeteredTokens,
): number | undefined {
  const { rates } = rulesOfModel(model);
  if (rates === undefined) return undefined;
  const { tier } = rates;
  const isAbove = tier !== undefined && uncached + read + written + writtenForAnHour > tier.above;
  const input =
    uncached * rates.input + read * rates.read + written * rates.write + writtenForAnHour * rates.writeForAnHour;
  return (input * (isAbove ? tier.input : 1) + output * rates.output * (isAbove ? tier.output : 1)) / 1e6;
}
