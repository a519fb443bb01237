import { sentVocabulary } from '../content/tools/sent-vocabulary.ts';
import { anyAgent, type ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import {
  type CompressionStrategy,
  type DebugLogger,
  type DensityConfig,
  KNOWN_ON_THREADS,
} from '../strategies/contract.ts';
import { completeDensityConfig } from '../strategies/settings/density-config.ts';

/** The logger that a strategy was bound to; it also gets the log lines of the strategy of this name on a thread (EC-016). */
export const loggerOf = (strategy: CompressionStrategy): DebugLogger | undefined =>
  (strategy as { readonly logger?: DebugLogger }).logger;

/** How a strategy crosses to a thread: by name, and its vocabulary as JSON. */
export interface StrategyName {
  readonly strategy: string;
  readonly vocabulary: string;
}

const names = new WeakMap<CompressionStrategy, StrategyName | undefined>();

/**
 * The names by which a thread can make the same strategy; undefined for one that is not registered, is bound to a
 * vocabulary that is no plain data, or asks a model: those run on the calling thread. Source: docs/architecture.md, "The offload protocol".
 */
export function registeredName(strategy: CompressionStrategy): StrategyName | undefined {
  if (!names.has(strategy)) names.set(strategy, findName(strategy));
  return names.get(strategy);
}

function findName(strategy: CompressionStrategy): StrategyName | undefined {
  if (!Object.hasOwn(Object.getPrototypeOf(strategy), KNOWN_ON_THREADS)) return undefined;
  const vocabulary = sentVocabulary('vocabulary' in strategy ? (strategy.vocabulary as ToolVocabulary) : anyAgent);
  return vocabulary === undefined ? undefined : { strategy: strategy.name, vocabulary };
}

/** The fields of `config` that cross. */
export const plainConfig = (config: DensityConfig): DensityConfig => structuredClone(completeDensityConfig(config));
