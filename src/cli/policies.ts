import type { ToolVocabulary } from '../content/vocabulary.ts';
import type { CompressionStrategy } from '../strategies/contract.ts';
import { COMPRESSION_STRATEGIES, getCompressionStrategy } from '../strategies/index.ts';
import { UsageError } from './failure.ts';

/** The name for counting alone, with nothing taken away. */
export const NO_STRATEGY = 'none';

/** Names of the strategies that ask no model. */
export const STRATEGIES_WITHOUT_MODEL: readonly string[] = COMPRESSION_STRATEGIES.filter(
  (name) => !getCompressionStrategy(name).requiresLLM,
);

/** A strategy for the tools of an agent. @throws UsageError for one that asks a model, which no command does. */
export function strategyWithoutModel(name: string, vocabulary: ToolVocabulary): CompressionStrategy {
  const strategy = getCompressionStrategy(name, { vocabulary });
  if (!strategy.requiresLLM) return strategy;
  const known = STRATEGIES_WITHOUT_MODEL.join(', ');
  throw new UsageError(`Expected a strategy that asks no model (${known}), got "${name}": this command calls nobody.`);
}
