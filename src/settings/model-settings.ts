import { setGivenModels } from '../economics/models/given-models.ts';
import { resolveSetting, type SettingLayers } from './resolve.ts';

/** Uses what these settings say of models in this process, and in the threads that it starts afterwards. */
export function applyModelSettings(layers: SettingLayers): void {
  const modelPrices = resolveSetting(layers, 'model-prices');
  const unboundThinking = resolveSetting(layers, 'unbound-thinking');
  setGivenModels({
    ...(modelPrices !== undefined && { modelPrices }),
    ...(unboundThinking !== undefined && { unboundThinking }),
  });
}
