import type { SettingLayers } from '../settings/resolve.ts';
import { parseCompressionStrategyName } from '../strategies/strategy-name.ts';

/** The name for counting only: nothing is removed. */
export const NO_STRATEGY = 'none';

/** The settings with this strategy in place of the configured one. */
export function layersFor(strategy: string, layers: SettingLayers): SettingLayers {
  if (strategy === NO_STRATEGY) return layers;
  return [{ 'compression.strategy': parseCompressionStrategyName(strategy) }, ...layers];
}
