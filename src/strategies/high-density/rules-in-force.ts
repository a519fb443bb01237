import { completeDensityConfig, completesTo, type GivenDensityConfig } from '../settings/density-config.ts';
import type { DensityRules } from '../settings/rule-settings.ts';
import { protectionOf } from './rules/protection.ts';
import type { RulesInForce } from './rules/rule.ts';

/** The rules in force with the settings of every rule. */
export type AllRulesInForce = RulesInForce<DensityRules>;

/** The rules of a configuration; the object `last` if they are equal, so that caches can compare by identity. */
export function rulesInForce(
  given: GivenDensityConfig | undefined,
  last: AllRulesInForce | undefined,
): AllRulesInForce {
  if (last !== undefined && completesTo(given, last)) return last;
  const config = completeDensityConfig(given);
  return { ...config, protection: protectionOf(config.rules, config.workspaceRoot) };
}
