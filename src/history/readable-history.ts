import { pairSafeIndex } from '../content/calls/boundary.ts';
import type { IContent, ToolCallBlock } from '../content/content.ts';
import { unansweredByEntry } from './entries/unanswered.ts';
import { History } from './history.ts';
import { copyForJson } from './views/copy.ts';
import { curate } from './views/curate.ts';
import { providerView } from './views/provider-view.ts';
import { historyToJson } from './views/serialization.ts';

/** A history with the shapes in which its entries and their tokens are read. */
export class ReadableHistory extends History {
  length(): number {
    return this.getRawHistory().length;
  }

  isEmpty(): boolean {
    return this.length() === 0;
  }

  /** All entries, in a new array. */
  getAll(): IContent[] {
    return [...this.getRawHistory()];
  }

  /** The same as `getAll`. */
  getComprehensive(): IContent[] {
    return this.getAll();
  }

  /** A deep copy of all entries. */
  clone(): IContent[] {
    return copyForJson(this.getAll());
  }

  /** All human and tool entries, and the ai entries that have content, in a new array. Never waits. */
  getCurated(): IContent[] {
    return curate(this.getRawHistory());
  }

  /** A deep copy of the curated history and then `tail`, repaired so that every provider accepts it. */
  getCuratedForProvider(tail: readonly IContent[] = []): IContent[] {
    return providerView(curate([...this.getRawHistory(), ...tail]));
  }

  /** The newest `count` entries, in order. */
  getRecent(count: number): IContent[] {
    return count > 0 ? this.getRawHistory().slice(-count) : [];
  }

  /** The newest entries whose counts by `countTokensFn` are at most `maxTokens` together; it splits no pair. */
  getWithinTokenLimit(maxTokens: number, countTokensFn: (content: IContent) => number): IContent[] {
    return newestWithin(this.getRawHistory(), maxTokens, countTokensFn);
  }

  getLastUserContent(): IContent | undefined {
    return this.getRawHistory().findLast((entry) => entry.speaker === 'human');
  }

  getLastAIContent(): IContent | undefined {
    return this.getRawHistory().findLast((entry) => entry.speaker === 'ai');
  }

  getStatistics(): HistoryStatistics {
    return statisticsOf(this.getRawHistory());
  }

  /** The calls that no result answers, in order; those of a turn that is still running are among them. */
  findUnmatchedToolCalls(): ToolCallBlock[] {
    return [...unansweredByEntry(this.getRawHistory()).values()].flat();
  }

  /** The entries as a JSON list, which `HistoryService.fromJSON` reads. */
  toJSON(): string {
    return historyToJson(this.getRawHistory());
  }

  /** Tokens of each entry, in order, without the base offset; 0 for one that is not counted yet. */
  getTokensPerEntry(): number[] {
    return this.parts.log.slots.map((slot) => slot.tokens);
  }

  /** Tokens that every call carries beside the history: the system prompt and the tools. At least 0. */
  getBaseTokenOffset(): number {
    return this.parts.ledger.baseOffset;
  }

  /** Tokens of `text`. Changes nothing. */
  estimateTokensForText(text: string, modelName?: string): Promise<number> {
    return this.parts.ledger.estimateText(text, modelName);
  }
}

/** The newest entries whose counts together are at most `maxTokens`, in order; it starts later rather than split a pair. */
function newestWithin(
  history: readonly IContent[],
  maxTokens: number,
  countTokens: (content: IContent) => number,
): IContent[] {
  let start = history.length;
  for (let tokens = 0; start > 0; start--) {
    tokens += countTokens(history[start - 1]!);
    if (tokens > maxTokens) break;
  }
  return history.slice(pairSafeIndex(history, start, { direction: 'later' }));
}

/** How many entries and calls a history has, and what providers reported of them. */
export interface HistoryStatistics {
  readonly totalMessages: number;
  readonly userMessages: number;
  readonly aiMessages: number;
  readonly toolCalls: number;
  readonly toolResponses: number;
  /** The sum of the reported `usage.totalTokens`; absent where none is reported. */
  readonly totalTokens?: number;
}

/** Counts entries by speaker, and tool blocks in all entries. */
function statisticsOf(history: readonly IContent[]): HistoryStatistics {
  const blocks = history.flatMap((entry) => entry.blocks);
  const reported = history.flatMap(({ metadata }) => metadata?.usage?.totalTokens ?? []);
  return {
    totalMessages: history.length,
    userMessages: history.filter((entry) => entry.speaker === 'human').length,
    aiMessages: history.filter((entry) => entry.speaker === 'ai').length,
    toolCalls: blocks.filter((block) => block.type === 'tool_call').length,
    toolResponses: blocks.filter((block) => block.type === 'tool_response').length,
    ...(reported.length > 0 && { totalTokens: reported.reduce((sum, tokens) => sum + tokens, 0) }),
  };
}
