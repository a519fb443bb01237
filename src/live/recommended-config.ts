import { BUILT_IN_PROFILES } from '../settings/built-in-profiles.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import { densityRules } from '../strategies/settings/density-settings.ts';

const PROFILE: Readonly<Record<string, unknown>> = BUILT_IN_PROFILES['recommended'] ?? {};

/** The rules of the `recommended` profile. Attached files are not touched: only results are shortened here. */
export const RECOMMENDED_CONFIG: GivenDensityConfig = {
  readWritePruning: true,
  fileDedupe: false,
  recencyPruning: false,
  rules: densityRules((row) => PROFILE[row.key] ?? ('isList' in row ? [] : row.default)),
};
