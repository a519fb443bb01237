import { areSameRules, completeDensityConfig, type GivenDensityConfig } from '../settings/density-config.ts';
import type { DensityRules } from '../settings/density-settings.ts';
import { Protection } from './rules/protection.ts';
import type { RulesInForce } from './rules/rule.ts';

/** The rules in force with the settings of every rule. */
export type AllRulesInForce = RulesInForce<DensityRules>;

/** The rules of a configuration; the object `last` if they are equal, so that caches can compare by identity. */
export function rulesInForce(
  given: GivenDensityConfig | undefined,
  last: AllRulesInForce | undefined,
): AllRulesInForce {
  const config = completeDensityConfig(given);
  const { rules, readWritePruning, workspaceRoot } = config;
  const { fileDedupe, recencyPruning, recencyRetention } = config;
  const isSame =
    last?.prunesStale === readWritePruning &&
    last.workspaceRoot === workspaceRoot &&
    last.fileDedupe === fileDedupe &&
    last.recencyPruning === recencyPruning &&
    Object.is(last.recencyRetention, recencyRetention) &&
    areSameRules(last.rules, rules);
  if (isSame) return last;
  const protection = new Protection(rules, workspaceRoot);
  const phases = { fileDedupe, recencyPruning, recencyRetention };
  return { rules, prunesStale: readWritePruning, workspaceRoot, protection, ...phases };
}
