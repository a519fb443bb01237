import type { CompressionStrategy, CompressionStrategyName, StrategyOptions } from './contract.ts';
import { HighDensityStrategy } from './high-density/high-density.ts';
import { parseCompressionStrategyName } from './strategy-name.ts';
import { MiddleOutStrategy, OneShotStrategy } from './summary-strategies.ts';
import { TopDownTruncationStrategy } from './top-down-truncation.ts';

const CREATE: Readonly<Record<CompressionStrategyName, (options: StrategyOptions) => CompressionStrategy>> = {
  'middle-out': (options) => new MiddleOutStrategy(options),
  'top-down-truncation': () => new TopDownTruncationStrategy(),
  'one-shot': (options) => new OneShotStrategy(options),
  'high-density': (options) => new HighDensityStrategy(options),
};

/** A fresh instance (REQ-HD-004.2). @throws UnknownStrategyError `UNKNOWN_STRATEGY` for a name that is not in the list. */
export function getCompressionStrategy(name: string, options: StrategyOptions = {}): CompressionStrategy {
  return CREATE[parseCompressionStrategyName(name)](options);
}
