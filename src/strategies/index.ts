import { UnknownStrategyError } from '../errors.ts';
import type { CompressionStrategy, StrategyOptions } from './contract.ts';
import { HighDensityStrategy } from './high-density/high-density.ts';
import { MiddleOutStrategy } from './middle-out.ts';
import { OneShotStrategy } from './one-shot.ts';
import { TopDownTruncationStrategy } from './top-down-truncation.ts';

/** Every strategy by name; the settings enum derives from it (REQ-HD-004.1, 004.4). */
export const COMPRESSION_STRATEGIES = ['middle-out', 'top-down-truncation', 'one-shot', 'high-density'] as const;

export type CompressionStrategyName = (typeof COMPRESSION_STRATEGIES)[number];

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
