import { RECOMMENDED } from '../../settings/recommended.ts';
import { SHAPERS } from '../../strategies/high-density/shapers/index.ts';
import type { GivenDensityConfig } from '../../strategies/settings/density-config.ts';
import { densityRules } from '../../strategies/settings/rule-settings.ts';

const PROFILE: Readonly<Record<string, unknown>> = RECOMMENDED;

/** The rules of the `recommended` profile. Files that a person attached are not touched. */
export const RECOMMENDED_CONFIG: GivenDensityConfig = {
  readWritePruning: true,
  fileDedupe: false,
  recencyPruning: false,
  rules: densityRules((row) => PROFILE[row.key] ?? ('isList' in row ? [] : row.default)),
};

const LOSSY = SHAPERS.filter(({ isLossy }) => isLossy).map(({ name }) => [name, false] as const);

/** Without what leaves text out that no call brings back: where nothing keeps it, or little room is left to keep it. */
export const LOSSLESS_CONFIG: GivenDensityConfig = {
  ...RECOMMENDED_CONFIG,
  rules: { ...RECOMMENDED_CONFIG.rules, ...Object.fromEntries(LOSSY), reportCalls: 0, skillCalls: 0, thinkingCalls: 0 },
};
