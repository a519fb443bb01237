import { UnknownStrategyError } from '../errors.ts';
import {
  COMPRESSION_STRATEGIES,
  type CompressionStrategy,
  type CompressionStrategyName,
  type StrategyOptions,
} from './contract.ts';
import { HighDensityStrategy } from './high-density/high-density.ts';
import { MiddleOutStrategy } from './middle-out.ts';
import { OneShotStrategy } from './one-shot.ts';
import { TopDownTruncationStrategy } from './top-down-truncation.ts';

const CREATE: Readonly<Record<CompressionStrategyName, (options: StrategyOptions) => CompressionStrategy>> = {
  'middle-out': (options) => new MiddleOutStrategy(options),
  'top-down-truncation': () => new TopDownTruncationStrategy(),
  'one-shot': (options) => new OneShotStrategy(options),
  'high-density': (options) => new HighDensityStrategy(options),
};

/** `raw` as a strategy name. @throws UnknownStrategyError `UNKNOWN_STRATEGY` when there is none (ERR-001). */
export function parseCompressionStrategyName(raw: string): CompressionStrategyName {
  const name = COMPRESSION_STRATEGIES.find((known) => known === raw);
  if (name === undefined) throw new UnknownStrategyError(raw, COMPRESSION_STRATEGIES);
  return name;
}

/** A fresh instance (REQ-HD-004.2). @throws UnknownStrategyError `UNKNOWN_STRATEGY` for a name that is not in the list. */
export function getCompressionStrategy(name: string, options: StrategyOptions = {}): CompressionStrategy {
  return CREATE[parseCompressionStrategyName(name)](options);
}
