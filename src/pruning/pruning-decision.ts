import type { Decision } from '../economics/decision.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { onlyEntries, savedByLength, waitingEdits } from './waiting-edits.ts';
import { type PruningMoment, type PruningTerms, weigh } from './weigh.ts';

/** What applies of a result now, and why. */
export interface PruningDecision extends Omit<Decision, 'apply'> {
  /** Absent: nothing applies now. The same object if all of it applies. */
  readonly result?: DensityResult;
  /** Tokens of the edits that wait. */
  readonly waitingTokens: number;
}

/** The part of a result to apply now, where its edits are applied as they are. Linear in entries. */
export function pruningDecision(found: DensityResult, moment: PruningMoment, terms: PruningTerms): PruningDecision {
  const { history, tokens } = moment;
  const edits = waitingEdits(history, found, savedByLength(history, found, tokens));
  const { apply, ...decision } = weigh(edits, moment, terms);
  const applied = new Set(apply);
  const waitingTokens = edits.reduce((sum, edit) => (applied.has(edit) ? sum : sum + edit.savedTokens), 0);
  const told = { ...decision, waitingTokens };
  if (apply.length === 0) return told;
  const entries = new Set(apply.flatMap((edit) => edit.entries));
  const isAll = entries.size === found.removals.length + found.replacements.size;
  return { ...told, result: isAll ? found : onlyEntries(found, entries) };
}
