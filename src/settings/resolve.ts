import type { DensityRules, Ephemerals } from '../strategies/contract.ts';
import { getCompressionStrategy } from '../strategies/index.ts';
import { contextLimitOfModel } from '../tokens/models.ts';
import { listedNames } from './names.ts';
import { settingRow } from './parse.ts';
import type { EphemeralSettings, SettingKey } from './registry.ts';

/** Layers of settings, the strongest first: the session's own, a profile's, a project's. Each is read anew at every use. */
export type SettingLayers = readonly EphemeralSettings[];

/** Settings whose registry row has a default. */
type KeyWithDefault = Exclude<
  SettingKey,
  | 'compression-threshold'
  | 'context-limit'
  | 'compression.profile'
  | 'compression.density.protectedTools'
  | 'compression.density.protectedPaths'
>;

type Resolve = <Key extends KeyWithDefault>(key: Key) => Required<EphemeralSettings>[Key];

/** The value of a setting: the first layer that has it, else the registry's default; `undefined` where that depends on more. */
export function resolveSetting<Key extends SettingKey>(layers: SettingLayers, key: Key): EphemeralSettings[Key] {
  const layer = layers.find((candidate) => candidate[key] !== undefined);
  return layer ? layer[key] : (settingRow(key).default as EphemeralSettings[Key]);
}

/**
 * The settings in force for a model, as strategies and the gate read them. A threshold that no layer sets is the
 * strategy's own (REQ-HD-001.10, BR-THRESH-001), a context limit the model's. The layers are checked already.
 */
export function createEphemerals(layers: SettingLayers, { model }: { model: string }): Ephemerals {
  const resolve: Resolve = (key) => resolveSetting(layers, key) as Required<EphemeralSettings>[typeof key];
  const compressionStrategy = (): string => resolve('compression.strategy');
  return {
    compressionStrategy,
    compressionThreshold: () =>
      resolveSetting(layers, 'compression-threshold') ??
      getCompressionStrategy(compressionStrategy()).trigger.defaultThreshold,
    preserveThreshold: () => resolve('compression-preserve-threshold'),
    contextLimit: () => resolveSetting(layers, 'context-limit') ?? contextLimitOfModel(model),
    densityReadWritePruning: () => resolve('compression.density.readWritePruning'),
    densityFileDedupe: () => resolve('compression.density.fileDedupe'),
    densityRecencyPruning: () => resolve('compression.density.recencyPruning'),
    densityRecencyRetention: () => resolve('compression.density.recencyRetention'),
    densityRules: () => densityRules(layers, resolve),
    densityTiming: () => resolve('compression.density.timing'),
    densityCacheMinutes: () => resolve('compression.density.cacheMinutes'),
  };
}

/** The rules beyond the specification, `undefined` while all are off. */
function densityRules(layers: SettingLayers, resolve: Resolve): DensityRules | undefined {
  const rules: DensityRules = {
    partialEdits: resolve('compression.density.partialEdits'),
    quietCalls: resolve('compression.density.quietCalls'),
    shellWrites: resolve('compression.density.shellWrites'),
    supersededReads: resolve('compression.density.supersededReads'),
    resultCalls: resolve('compression.density.resultCalls'),
    carriedTokens: resolve('compression.density.carriedTokens'),
    protectedTools: listedNames(resolveSetting(layers, 'compression.density.protectedTools') ?? ''),
    protectedPaths: listedNames(resolveSetting(layers, 'compression.density.protectedPaths') ?? ''),
  };
  const { partialEdits, quietCalls, shellWrites, supersededReads, resultCalls, carriedTokens } = rules;
  const protects = rules.protectedTools.length > 0 || rules.protectedPaths.length > 0;
  const carriesAll = resultCalls === 0 && carriedTokens === 0;
  const isOff =
    partialEdits === 'prune' && quietCalls === 0 && !shellWrites && !supersededReads && carriesAll && !protects;
  return isOff ? undefined : rules;
}
