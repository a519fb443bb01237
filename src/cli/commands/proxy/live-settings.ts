import { RECOMMENDED_CONFIG } from '../../../live/turn/recommended-config.ts';
import type { EphemeralSettings, ResolvedSetting } from '../../../settings/registry.ts';
import { resolveSetting, type SettingLayers } from '../../../settings/resolve.ts';
import { oldThinking } from '../../../strategies/high-density/rules/old-thinking.ts';
import type { GivenDensityConfig } from '../../../strategies/settings/density-config.ts';
import { densityField } from '../../../strategies/settings/density-row.ts';
import { SHAPING_SETTINGS } from '../../../strategies/settings/shaping-settings.ts';
import { settingsOf } from '../../options/setting-options.ts';

/** What settings say of the requests of a running agent. */
export interface LiveSettings {
  readonly mode: ResolvedSetting<'live-pruning'>;
  readonly config: GivenDensityConfig;
  readonly cacheMarks: boolean;
  readonly cacheLifetime: ResolvedSetting<'cache-lifetime'>;
}

/** The settings that options of `wrap` and `proxy` are. */
export const givenSettings = (options: {
  readonly shadow?: boolean;
  readonly keepWarm?: boolean;
}): EphemeralSettings => ({
  ...settingsOf({ ...options }),
  ...(options.shadow === true && { 'live-pruning': 'shadow' }),
});

const GIVEN_ROWS = [...SHAPING_SETTINGS, ...oldThinking.settings];

/** These rules, with what settings say of new text and of thinking; the strongest first. */
export function withGivenRules(config: GivenDensityConfig, layers: SettingLayers): GivenDensityConfig {
  const given = GIVEN_ROWS.flatMap(({ key }) => {
    const value = layers.find((layer) => layer[key] !== undefined)?.[key];
    return value === undefined ? [] : [[densityField(key), value] as const];
  });
  return { ...config, rules: { ...config.rules, ...Object.fromEntries(given) } };
}

/** What these settings say of requests, the strongest first; older results are pruned by `recommended`. */
export const liveSettings = (layers: SettingLayers): LiveSettings => ({
  mode: resolveSetting(layers, 'live-pruning'),
  config: withGivenRules(RECOMMENDED_CONFIG, layers),
  cacheMarks: resolveSetting(layers, 'cache-marks'),
  cacheLifetime: resolveSetting(layers, 'cache-lifetime'),
});
