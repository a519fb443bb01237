import { UnknownStrategyError } from '../errors.ts';
import { COMPRESSION_STRATEGIES, type CompressionStrategyName } from './contract.ts';

/** `raw` as a strategy name. @throws UnknownStrategyError `UNKNOWN_STRATEGY` when there is none (ERR-001). */
export function parseCompressionStrategyName(raw: string): CompressionStrategyName {
  const name = COMPRESSION_STRATEGIES.find((known) => known === raw);
  if (name === undefined) throw new UnknownStrategyError(raw, COMPRESSION_STRATEGIES);
  return name;
}
