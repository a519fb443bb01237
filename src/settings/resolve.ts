import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../content/foreign-value.ts';
import { setGivenModels } from '../economics/models/given-models.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { Ephemerals } from '../strategies/contract.ts';
import { densityField } from '../strategies/settings/density-row.ts';
import { GATE_SETTINGS, type GateAccessors, type PhaseAccessors } from '../strategies/settings/gate-settings.ts';
import { PHASE_SETTINGS } from '../strategies/settings/phase-settings.ts';
import {
  type DensityRules,
  densityRules,
  RULE_SETTINGS,
  SPECIFIED_RULES,
} from '../strategies/settings/rule-settings.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../strategies/threshold.ts';
import { contextLimitOfModel } from '../tokens/models.ts';
import { nearestName } from './nearest-name.ts';
import { type EphemeralSettings, type ResolvedSetting, SETTINGS_REGISTRY, type SettingKey } from './registry.ts';

/** Checked settings, the strongest first: the session's, a profile's, a project's. Every use reads them again. */
export type SettingLayers = readonly EphemeralSettings[];

const DEFAULTS: ReadonlyMap<SettingKey, unknown> = new Map(SETTINGS_REGISTRY.map((row) => [row.key, row.default]));

/** The value of a setting: that of the first layer with one, else the default of its row. */
export function resolveSetting<Key extends SettingKey>(layers: SettingLayers, key: Key): ResolvedSetting<Key> {
  const layer = layers.find((candidate) => candidate[key] !== undefined);
  return (layer ? layer[key] : DEFAULTS.get(key)) as ResolvedSetting<Key>;
}

const invalid = (message: string): CompressionStrategyError => new CompressionStrategyError(message, 'SETTING_INVALID');

/** @throws CompressionStrategyError `SETTING_INVALID` for what is no list of settings, an unknown setting, or no model. */
function assertLayers(layers: unknown, model: unknown): void {
  if (!Array.isArray(layers) || !layers.every(isRecord))
    throw invalid('Expected a list of settings as the first argument.');
  if (typeof model !== 'string') throw invalid(`Expected the name of a model in \`model\`, got \`${String(model)}\`.`);
  const known = SETTINGS_REGISTRY.map(({ key }) => key);
  const unknown = layers.flatMap((layer) => Object.keys(layer)).find((key) => !known.some((one) => one === key));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  throw invalid(`Expected a known setting, got \`${unknown}\`. Did you mean \`${nearest}\`?`);
}

/**
 * The settings in force for a model, as strategies and the gate read them.
 * @throws CompressionStrategyError `SETTING_INVALID` for an unknown setting or no model (docs/readings.md, row 43).
 */
export function createEphemerals(layers: SettingLayers, options: { model: string }): Ephemerals {
  const model = options?.model;
  assertLayers(layers, model);
  return {
    ...densityAccessors(layers),
    compressionStrategy: () => resolveSetting(layers, 'compression.strategy'),
    compressionThreshold: (strategy) =>
      resolveSetting(layers, 'compression-threshold') ?? strategy?.trigger.defaultThreshold ?? DEFAULT_THRESHOLD_RATIO,
    preserveThreshold: () => resolveSetting(layers, 'compression-preserve-threshold'),
    contextLimit: () => resolveSetting(layers, 'context-limit') ?? contextLimitOfModel(model),
    densityRules: () => rulesInForce(layers),
  };
}

/** The names in a text that has commas between them. */
const listedNames = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The rules beyond the specification; `undefined` while all are off. */
function rulesInForce(layers: SettingLayers): DensityRules | undefined {
  if (!layers.some((layer) => RULE_SETTINGS.some(({ key }) => layer[key] !== undefined))) return undefined;
  const rules = densityRules((row) => {
    const value = resolveSetting(layers, row.key);
    return 'isList' in row ? listedNames(value) : value;
  });
  return isDeepStrictEqual(rules, SPECIFIED_RULES) ? undefined : rules;
}

/** An accessor for each row that has one, `densityFileDedupe()` for `compression.density.fileDedupe`. */
function densityAccessors(layers: SettingLayers): PhaseAccessors & GateAccessors {
  const accessors = [...PHASE_SETTINGS, ...GATE_SETTINGS].map(({ key }) => {
    const field = densityField(key);
    return [`density${field.charAt(0).toUpperCase()}${field.slice(1)}`, () => resolveSetting(layers, key)];
  });
  return Object.fromEntries(accessors);
}

/** Uses what these settings say of models in this process, and in the threads that it starts afterwards. */
export function applyModelSettings(layers: SettingLayers): void {
  const modelPrices = resolveSetting(layers, 'model-prices');
  const unboundThinking = resolveSetting(layers, 'unbound-thinking');
  setGivenModels({
    ...(modelPrices !== undefined && { modelPrices }),
    ...(unboundThinking !== undefined && { unboundThinking }),
  });
}
