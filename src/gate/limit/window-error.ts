import { CompressionStrategyError } from '../../errors.ts';
import type { Budget } from '../budget.ts';

/** The parts of a send, in tokens. */
export interface Projection {
  readonly historyTokens: number;
  readonly baseTokens: number;
  readonly pendingTokens: number;
}

/** The error of a send that cannot be made to fit, with its numbers (docs/readings.md, row 17; law 10). */
export function contextWindowExceeded(
  budget: Budget,
  { historyTokens, baseTokens, pendingTokens }: Projection,
  cause?: unknown,
): CompressionStrategyError {
  const { contextLimitTokens, completionTokens, marginTokens, hardLimitTokens } = budget;
  return new CompressionStrategyError(
    `Expected at most ${hardLimitTokens} tokens to send (context limit ${contextLimitTokens}, less ${completionTokens} for the answer and a margin of ${marginTokens}), ` +
      `got ${historyTokens + baseTokens + pendingTokens} (history ${historyTokens}, system prompt and tools ${baseTokens}, pending ${pendingTokens}), and nothing more can be removed. ` +
      'Shorten the message, start a new conversation, raise `context-limit`, or choose a model with a larger window.',
    'CONTEXT_WINDOW_EXCEEDED',
    { cause },
  );
}
