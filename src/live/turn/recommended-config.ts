import { RECOMMENDED } from '../../settings/recommended.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import { densityRules } from '../../strategies/settings/rule-settings.ts';

const PROFILE: Readonly<Record<string, unknown>> = RECOMMENDED;

/** The rules of the `recommended` profile. Attached files are not touched: only results are shortened here. */
export const RECOMMENDED_CONFIG: GivenDensityConfig = {
  readWritePruning: true,
  fileDedupe: false,
  recencyPruning: false,
  rules: densityRules((row) => PROFILE[row.key] ?? ('isList' in row ? [] : row.default)),
};
