import type { DensityConfig } from '../contract.ts';
import { densityField } from './density-row.ts';
import { type DensityPhases, PHASE_SETTINGS } from './phase-settings.ts';
import { type DensityRules, SPECIFIED_RULES } from './rule-settings.ts';

/** What a caller of `optimize` may give: any fields of `DensityConfig`, and any of its rules. */
export type GivenDensityConfig = Partial<Omit<DensityConfig, 'rules'>> & { readonly rules?: Partial<DensityRules> };

/** The fields of `DensityConfig` and of its rules, with what an absent one counts as. */
const PHASES = PHASE_SETTINGS.map((row) => ({
  field: densityField(row.key) as keyof DensityPhases,
  absent: row.default,
}));
const RULES = Object.entries(SPECIFIED_RULES).map(([field, absent]) => ({
  field: field as keyof DensityRules,
  absent,
}));

/** With it, relative paths of one history still name the same files. */
const DEFAULT_WORKSPACE_ROOT = '/';

/** The configuration with all fields and rules; absent ones have the defaults of their settings. Source: docs/readings.md, row 37. */
export function completeDensityConfig(given: GivenDensityConfig | undefined): Required<DensityConfig> {
  const phases: Partial<Record<keyof DensityPhases, unknown>> = {};
  for (const { field, absent } of PHASES) phases[field] = given?.[field] ?? absent;
  const rules: Partial<Record<keyof DensityRules, unknown>> = {};
  for (const { field, absent } of RULES) rules[field] = given?.rules?.[field] ?? absent;
  // Each field of both has a row, so none is missing.
  return {
    ...(phases as unknown as DensityPhases),
    workspaceRoot: given?.workspaceRoot ?? DEFAULT_WORKSPACE_ROOT,
    isCold: given?.isCold ?? false,
    canOmitThinking: given?.canOmitThinking ?? false,
    rules: rules as unknown as DensityRules,
  };
}

/** True if `given`, completed, equals `config`; lists are compared by what is in them. Builds nothing. */
export function completesTo(given: GivenDensityConfig | undefined, config: Required<DensityConfig>): boolean {
  return (
    (given?.workspaceRoot ?? DEFAULT_WORKSPACE_ROOT) === config.workspaceRoot &&
    (given?.isCold ?? false) === config.isCold &&
    (given?.canOmitThinking ?? false) === config.canOmitThinking &&
    PHASES.every(({ field, absent }) => Object.is(given?.[field] ?? absent, config[field])) &&
    RULES.every(({ field, absent }) => isSameValue(given?.rules?.[field] ?? absent, config.rules[field]))
  );
}

const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
