import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import { COMPRESSION_STRATEGIES, type CompressionStrategy } from '../../strategies/contract.ts';
import { getCompressionStrategy } from '../../strategies/index.ts';
import { UsageError } from '../terminal/terminal.ts';

/** Names of the strategies that ask no model. */
export const STRATEGIES_WITHOUT_MODEL: readonly string[] = COMPRESSION_STRATEGIES.filter(
  (name) => !getCompressionStrategy(name).requiresLLM,
);

/**
 * A strategy for the tools of an agent. It pauses in long work so that timers and input are not delayed. `option`: what names a model.
 * @throws UsageError if the strategy asks a model and there is none.
 */
export function strategyFor(
  name: string,
  { vocabulary, hasModel, option }: { vocabulary: ToolVocabulary; hasModel: boolean; option: '--provider' | '--model' },
): CompressionStrategy {
  const strategy = getCompressionStrategy(name, { vocabulary, pause: () => nextEventLoopTurn() });
  if (hasModel || !strategy.requiresLLM) return strategy;
  throw new UsageError(
    `Expected ${option}, or --summaries with recorded summaries, because the strategy "${name}" asks a model. Got neither.`,
  );
}
