import type { ContentBlock, IContent, ToolResponseBlock } from '../content/content.ts';
import type { DensityResultMetadata } from './contract.ts';

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

/** What a rule took away, uncounted: entries, or parts of them, that went, and those that came in their place. */
export interface Taken {
  readonly count: number;
  readonly gone: readonly IContent[];
  readonly come: readonly IContent[];
}

export type TakenByRule = Readonly<Record<RemovalRule, Taken>>;

/** Tokens of these entries together. */
export type TokensOf = (entries: readonly IContent[]) => Promise<number>;

interface Difference {
  readonly gone: readonly ContentBlock[];
  readonly come: readonly ContentBlock[];
}

/** The blocks of each that the other does not have, by identity; `after` is absent once the entry is gone. */
function difference(before: IContent, after: IContent | undefined): Difference {
  const kept = new Set(after?.blocks);
  const had = new Set(before.blocks);
  return {
    gone: before.blocks.filter((block) => !kept.has(block)),
    come: after?.blocks.filter((block) => !had.has(block)) ?? [],
  };
}

const isResult = (block: ContentBlock): block is ToolResponseBlock => block.type === 'tool_response';

/** Results that a pointer, or less of them, was put in place of, and what was put there. */
function masked({ gone, come }: Difference): Difference {
  const left = [...gone];
  const pointers = come.filter(isResult).flatMap((pointer) => {
    const at = left.findIndex((block) => block.type === 'tool_response' && block.callId === pointer.callId);
    return at === -1 ? [] : [{ pointer, block: left.splice(at, 1)[0]! }];
  });
  return { gone: pointers.map(({ block }) => block), come: pointers.map(({ pointer }) => pointer) };
}

interface Booked {
  count: number;
  readonly gone: IContent[];
  readonly come: IContent[];
}

const nothing = (): Booked => ({ count: 0, gone: [], come: [] });

/** Adds up what the rules took away over many steps. It counts no token: whoever asks counts, where that blocks nobody. */
export class RemovalAccount {
  readonly #booked: Record<RemovalRule, Booked> = {
    readWritePairs: nothing(),
    fileInclusions: nothing(),
    recency: nothing(),
    summarised: nothing(),
    dropped: nothing(),
  };

  /** What an optimisation did: how often as it reports it, entries matched by `metadata.id`. Linear. */
  addOptimization(before: readonly IContent[], after: readonly IContent[], metadata: DensityResultMetadata): void {
    const kept = new Map(after.map((entry) => [entry.metadata?.id, entry]));
    for (const entry of before) {
      const successor = kept.get(entry.metadata?.id);
      if (successor !== entry) this.#bookOptimized(entry, successor);
    }
    this.#booked.readWritePairs.count += metadata.readWritePairsPruned;
    this.#booked.fileInclusions.count += metadata.fileDeduplicationsPruned;
    this.#booked.recency.count += metadata.recencyPruned;
  }

  /** What a compression or the last resort did: entries are matched by `metadata.id`. Linear in entries. */
  addCompression(before: readonly IContent[], after: readonly IContent[]): void {
    const kept = new Map(after.map((entry) => [entry.metadata?.id, entry]));
    for (const entry of before) {
      const successor = kept.get(entry.metadata?.id);
      if (successor === entry) continue;
      if (successor === undefined) {
        this.#book('dropped', { count: 1, gone: [entry], come: [] });
        continue;
      }
      const { come } = difference(entry, successor);
      const count = come.filter(({ type }) => type === 'tool_response').length;
      this.#book('summarised', { count, gone: [entry], come: [successor] });
    }
  }

  taken(): TakenByRule {
    return this.#booked;
  }

  /** Whole entries where one rule did it all: their tokens are known to whoever keeps the history. */
  #bookOptimized(entry: IContent, successor: IContent | undefined): void {
    const change = difference(entry, successor);
    const pointed = masked(change);
    const rule = entry.speaker === 'human' ? 'fileInclusions' : 'readWritePairs';
    const hasOthers = pointed.gone.length < change.gone.length || pointed.come.length < change.come.length;
    if (pointed.gone.length === 0 || !hasOthers) {
      const whole = { count: 0, gone: [entry], come: successor ? [successor] : [] };
      this.#book(pointed.gone.length === 0 ? rule : 'recency', whole);
      return;
    }
    const part = (blocks: readonly ContentBlock[]): IContent[] => [{ speaker: entry.speaker, blocks }];
    const without = (blocks: readonly ContentBlock[], others: readonly ContentBlock[]): ContentBlock[] =>
      blocks.filter((block) => !others.includes(block));
    this.#book('recency', { count: 0, gone: part(pointed.gone), come: part(pointed.come) });
    const gone = part(without(change.gone, pointed.gone));
    this.#book(rule, { count: 0, gone, come: part(without(change.come, pointed.come)) });
  }

  #book(rule: RemovalRule, { count, gone, come }: Taken): void {
    const booked = this.#booked[rule];
    booked.count += count;
    booked.gone.push(...gone);
    booked.come.push(...come);
  }
}

/** How often each rule acted and what it saved, as `tokensOf` counts it. */
export async function countedRemovals(taken: TakenByRule, tokensOf: TokensOf): Promise<Removals> {
  const counted = async ({ count, gone, come }: Taken): Promise<Removal> => ({
    count,
    tokens: (await tokensOf(gone)) - (await tokensOf(come)),
  });
  return {
    readWritePairs: await counted(taken.readWritePairs),
    fileInclusions: await counted(taken.fileInclusions),
    recency: await counted(taken.recency),
    summarised: await counted(taken.summarised),
    dropped: await counted(taken.dropped),
  };
}
