import type { DensityConfig } from '../contract.ts';
import { completeDensityConfig, type GivenDensityConfig } from '../settings/density-config.ts';
import type { DensityRules } from '../settings/density-settings.ts';
import { Protection } from './rules/protection.ts';

/** The rules for pruning a history. */
export interface RulesInForce extends Pick<DensityConfig, 'fileDedupe' | 'recencyPruning' | 'recencyRetention'> {
  readonly rules: DensityRules;
  /** True if reads of later written files are removed. */
  readonly prunesStale: boolean;
  readonly workspaceRoot: string;
  readonly protection: Protection;
}

/** The rules of a configuration; the object `last` if they are equal, so that caches can compare by identity. */
export function rulesInForce(given: GivenDensityConfig | undefined, last: RulesInForce | undefined): RulesInForce {
  const config = completeDensityConfig(given);
  const { rules, readWritePruning, workspaceRoot } = config;
  const { fileDedupe, recencyPruning, recencyRetention } = config;
  const isSame =
    last?.prunesStale === readWritePruning &&
    last.workspaceRoot === workspaceRoot &&
    last.fileDedupe === fileDedupe &&
    last.recencyPruning === recencyPruning &&
    Object.is(last.recencyRetention, recencyRetention) &&
    JSON.stringify(last.rules) === JSON.stringify(rules);
  if (isSame) return last;
  const protection = new Protection(rules, workspaceRoot);
  const phases = { fileDedupe, recencyPruning, recencyRetention };
  return { rules, prunesStale: readWritePruning, workspaceRoot, protection, ...phases };
}

export const prunesReads = ({ prunesStale, rules }: RulesInForce): boolean => prunesStale || rules.supersededReads;

export const prunesCarried = ({ rules }: RulesInForce): boolean => rules.resultCalls > 0 || rules.carriedTokens > 0;
