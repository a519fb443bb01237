import type { IContent } from '../../content/content.ts';

/** How many entries and calls a history has. `totalTokens` includes the base offset. */
export interface HistoryStatistics {
  readonly totalMessages: number;
  readonly userMessages: number;
  readonly aiMessages: number;
  readonly toolCalls: number;
  readonly toolResponses: number;
  readonly totalTokens: number;
}

/** Counts entries by speaker, and tool blocks in all entries. */
export function statisticsOf(history: readonly IContent[], totalTokens: number): HistoryStatistics {
  const blocks = history.flatMap((entry) => entry.blocks);
  return {
    totalMessages: history.length,
    userMessages: history.filter((entry) => entry.speaker === 'human').length,
    aiMessages: history.filter((entry) => entry.speaker === 'ai').length,
    toolCalls: blocks.filter((block) => block.type === 'tool_call').length,
    toolResponses: blocks.filter((block) => block.type === 'tool_response').length,
    totalTokens,
  };
}
