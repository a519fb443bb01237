import type { DensityConfig } from '../contract.ts';
import { densityField } from './density-row.ts';
import { type DensityRules, densityRules, SPECIFIED_RULES } from './density-settings.ts';
import { type DensityPhases, PHASE_SETTINGS } from './phase-settings.ts';

/** What a caller of `optimize` may give: any fields of `DensityConfig`, and any of its rules. */
export type GivenDensityConfig = Partial<Omit<DensityConfig, 'rules'>> & { readonly rules?: Partial<DensityRules> };

/** The configuration with all fields and rules; absent ones have the defaults of their settings. Source: docs/readings.md, row 37. */
export function completeDensityConfig(given: GivenDensityConfig | undefined): Required<DensityConfig> {
  const phases = PHASE_SETTINGS.map((row) => {
    const field = densityField(row.key) as keyof DensityPhases;
    return [field, given?.[field] ?? row.default];
  });
  return {
    ...(Object.fromEntries(phases) as DensityPhases),
    // Relative paths of one history still name the same files.
    workspaceRoot: given?.workspaceRoot ?? '/',
    rules: densityRules((row) => {
      const field = densityField(row.key) as keyof DensityRules;
      return given?.rules?.[field] ?? SPECIFIED_RULES[field];
    }),
  };
}
