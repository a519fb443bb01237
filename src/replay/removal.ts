import type { ContentBlock, IContent } from '../content/content.ts';
import type { DensityResultMetadata } from '../strategies/contract.ts';
import { PRUNED_RESULT } from '../strategies/high-density/recency.ts';

/** The rules that take content away. */
export const REMOVAL_RULES = ['readWritePairs', 'fileInclusions', 'recency', 'summarised', 'dropped'] as const;
export type RemovalRule = (typeof REMOVAL_RULES)[number];

/**
 * How often each rule acted, in the unit of the rule: call-response pairs, inclusions, responses, responses, entries;
 * and the tokens it saved, less those of what it put in place.
 */
export interface Removal {
  readonly count: number;
  readonly tokens: number;
}

export type Removals = Readonly<Record<RemovalRule, Removal>>;

/** Tokens of one block. */
export type CountBlock = (block: ContentBlock) => number;

const tokensOf = (blocks: readonly ContentBlock[], count: CountBlock): number =>
  blocks.reduce((sum, block) => sum + count(block), 0);

/** The blocks of each that the other does not have, by identity; `after` is absent once the entry is gone. */
function difference(before: IContent, after: IContent | undefined): { gone: ContentBlock[]; come: ContentBlock[] } {
  const kept = new Set(after?.blocks);
  const had = new Set(before.blocks);
  return {
    gone: before.blocks.filter((block) => !kept.has(block)),
    come: after?.blocks.filter((block) => !had.has(block)) ?? [],
  };
}

/** Adds up what the rules took away over many steps. */
export class RemovalAccount {
  readonly #count: CountBlock;
  readonly #totals = new Map<RemovalRule, Removal>();

  constructor(count: CountBlock) {
    this.#count = count;
  }

  /** What an optimisation did: counts as it reports them, tokens from the entries, matched by `metadata.id`. Linear. */
  addOptimization(before: readonly IContent[], after: readonly IContent[], metadata: DensityResultMetadata): void {
    const kept = new Map(after.map((entry) => [entry.metadata?.id, entry]));
    const tokens = { readWritePairs: 0, fileInclusions: 0, recency: 0 };
    for (const entry of before) {
      const successor = kept.get(entry.metadata?.id);
      if (successor === entry) continue;
      const { gone, come } = difference(entry, successor);
      const saved = tokensOf(gone, this.#count) - tokensOf(come, this.#count);
      const masked = this.#masked(gone, come);
      tokens.recency += masked;
      tokens[entry.speaker === 'human' ? 'fileInclusions' : 'readWritePairs'] += saved - masked;
    }
    this.#add('readWritePairs', metadata.readWritePairsPruned, tokens.readWritePairs);
    this.#add('fileInclusions', metadata.fileDeduplicationsPruned, tokens.fileInclusions);
    this.#add('recency', metadata.recencyPruned, tokens.recency);
  }

  /** What a compression or the last resort did: entries are matched by `metadata.id`. Linear in entries. */
  addCompression(before: readonly IContent[], after: readonly IContent[]): void {
    const kept = new Map(after.map((entry) => [entry.metadata?.id, entry]));
    for (const entry of before) {
      const successor = kept.get(entry.metadata?.id);
      if (successor === entry) continue;
      if (successor === undefined) {
        this.#add('dropped', 1, tokensOf(entry.blocks, this.#count));
        continue;
      }
      const { gone, come } = difference(entry, successor);
      const responses = come.filter(({ type }) => type === 'tool_response').length;
      this.#add('summarised', responses, tokensOf(gone, this.#count) - tokensOf(come, this.#count));
    }
  }

  removals(): Removals {
    const total = (rule: RemovalRule): Removal => this.#totals.get(rule) ?? { count: 0, tokens: 0 };
    return {
      readWritePairs: total('readWritePairs'),
      fileInclusions: total('fileInclusions'),
      recency: total('recency'),
      summarised: total('summarised'),
      dropped: total('dropped'),
    };
  }

  /** Tokens saved by responses that now hold the pointer. */
  #masked(gone: readonly ContentBlock[], come: readonly ContentBlock[]): number {
    let saved = 0;
    const left = [...gone];
    for (const block of come) {
      if (block.type !== 'tool_response' || block.result !== PRUNED_RESULT) continue;
      const at = left.findIndex((other) => other.type === 'tool_response' && other.callId === block.callId);
      if (at === -1) continue;
      saved += this.#count(left[at]!) - this.#count(block);
      left.splice(at, 1);
    }
    return saved;
  }

  #add(rule: RemovalRule, count: number, tokens: number): void {
    const before = this.#totals.get(rule) ?? { count: 0, tokens: 0 };
    this.#totals.set(rule, { count: before.count + count, tokens: before.tokens + tokens });
  }
}
