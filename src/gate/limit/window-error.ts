import { counted, grouped } from '../../content/counted.ts';
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
    `Expected at most ${counted(hardLimitTokens, 'token')} to send (context limit ${grouped(contextLimitTokens)}, less ${grouped(completionTokens)} for the answer and a margin of ${grouped(marginTokens)}), ` +
      `got ${grouped(historyTokens + baseTokens + pendingTokens)} (history ${grouped(historyTokens)}, system prompt and tools ${grouped(baseTokens)}, pending ${grouped(pendingTokens)}), and nothing more can be removed. ` +
      'Shorten the message, start a new conversation, raise `context-limit`, or choose a model with a larger window.',
    'CONTEXT_WINDOW_EXCEEDED',
    { cause },
  );
}
