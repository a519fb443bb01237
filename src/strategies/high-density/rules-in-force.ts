import type { DensityConfig } from '../contract.ts';
import { completeDensityConfig, completesTo, type GivenDensityConfig } from '../settings/density-config.ts';
import type { DensityRules } from '../settings/rule-settings.ts';
import { Protection } from './rules/protection.ts';
import type { RulesInForce } from './rules/rule.ts';

/** The rules in force with the settings of every rule. */
export interface AllRulesInForce extends RulesInForce<DensityRules> {
  /** What they were made of. */
  readonly config: Required<DensityConfig>;
}

/** The rules of a configuration; the object `last` if they are equal, so that caches can compare by identity. */
export function rulesInForce(
  given: GivenDensityConfig | undefined,
  last: AllRulesInForce | undefined,
): AllRulesInForce {
  if (last !== undefined && completesTo(given, last.config)) return last;
  const config = completeDensityConfig(given);
  const { rules, readWritePruning, workspaceRoot, fileDedupe, recencyPruning, recencyRetention } = config;
  const { isCold, canOmitThinking } = config;
  const protection = new Protection(rules, workspaceRoot);
  const phases = { fileDedupe, recencyPruning, recencyRetention };
  return {
    config,
    rules,
    prunesStale: readWritePruning,
    workspaceRoot,
    isCold,
    canOmitThinking,
    protection,
    ...phases,
  };
}
