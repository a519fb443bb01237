import type { DensityConfig, DensityRules } from '../contract.ts';
import { Protection } from './protection.ts';

/** Those of the specification: nothing beyond it. */
export const SPECIFIED_RULES: DensityRules = {
  partialEdits: 'prune',
  quietCalls: 0,
  shellWrites: false,
  supersededReads: false,
  resultCalls: 0,
  carriedTokens: 0,
  protectedTools: [],
  protectedPaths: [],
};

/** What a history is pruned by. */
export interface RulesInForce extends Pick<DensityConfig, 'fileDedupe' | 'recencyPruning' | 'recencyRetention'> {
  readonly rules: DensityRules;
  /** Whether reads that were written after go. */
  readonly prunesStale: boolean;
  readonly workspaceRoot: string;
  readonly protection: Protection;
}

/** The rules of `config`: `last` itself while they are the same, so that who keeps what it found by them compares one object. */
export function rulesInForce(config: DensityConfig, last: RulesInForce | undefined): RulesInForce {
  const { rules = SPECIFIED_RULES, readWritePruning, workspaceRoot } = config;
  const { fileDedupe, recencyPruning, recencyRetention } = config;
  const isSame =
    last?.prunesStale === readWritePruning &&
    last.workspaceRoot === workspaceRoot &&
    last.fileDedupe === fileDedupe &&
    last.recencyPruning === recencyPruning &&
    Object.is(last.recencyRetention, recencyRetention) &&
    (last.rules === rules || JSON.stringify(last.rules) === JSON.stringify(rules));
  if (isSame) return last;
  const protection = new Protection(rules, workspaceRoot);
  const phases = { fileDedupe, recencyPruning, recencyRetention };
  return { rules, prunesStale: readWritePruning, workspaceRoot, protection, ...phases };
}
