import type { IContent } from '../../content/content.ts';

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
export function statisticsOf(history: readonly IContent[]): HistoryStatistics {
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
