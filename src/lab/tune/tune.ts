import type { ComparedFile } from '../compared-file.ts';
import { policyTotals } from '../totals.ts';
import type { TuneCandidate } from './candidates.ts';
import { dealParts, type Parts } from './parts.ts';
import { leastEvents, upperBound } from './upper-bound.ts';

/** What a profile did on a part of the sessions. Shares are 0-1, relative to no pruning. */
export interface PartFigures {
  readonly savedRatio: number;
  readonly dollars: number;
  readonly dollarsRatio: number;
  readonly evidencedEdits: number;
  readonly regrettedEdits: number;
  /** At most this share of edits is regretted, at 95% confidence. */
  readonly regrettedAtMost: number;
  /** Regrets of any kind that are certain. */
  readonly exactRegrets: number;
}

export interface TunedProfile extends TuneCandidate {
  readonly chosenOn: PartFigures;
  readonly heldOut: PartFigures;
}

/**
 * What came out: a profile that is better than `recommended` on both parts (`better`); no candidate is (`recommended`); the
 * one that seemed better was not on the held-out part (`not-confirmed`); every candidate regrets too much (`none`); or there
 * are too few edits to say (`too-little`).
 */
type TuneVerdict =
  | { readonly kind: 'too-little' | 'none' | 'recommended' }
  | { readonly kind: 'better'; readonly chosen: TunedProfile }
  | { readonly kind: 'not-confirmed'; readonly chosen: TunedProfile; readonly reasons: readonly string[] };

export interface Tuning {
  readonly parts: Parts;
  /** In the order of the candidates: first no pruning, then `recommended`. */
  readonly profiles: readonly TunedProfile[];
  /** Evidenced edits that each part must have, so that regretting none of them can be enough. */
  readonly neededEdits: number;
  readonly verdict: TuneVerdict;
}

/** The sum of a part under each candidate. */
function figuresOf(files: readonly ComparedFile[]): readonly PartFigures[] {
  return policyTotals(files).map((totals) => {
    const { policy, savedRatio, dollars, dollarsRatio, evidencedEdits, regrets } = totals;
    const own = files.flatMap(({ outcomes }) => outcomes.filter((outcome) => outcome.policy === policy));
    return {
      savedRatio,
      dollars,
      dollarsRatio,
      evidencedEdits,
      regrettedEdits: regrets.edit,
      regrettedAtMost: upperBound(regrets.edit, evidencedEdits),
      exactRegrets: own.flatMap((outcome) => outcome.regrets).filter(({ certainty }) => certainty === 'exact').length,
    };
  });
}

/**
 * Chooses the cheapest of the candidates on one half of the sessions, and checks it on the other. `mostRegretted`: the
 * share of edits (0-1) that it may regret, as an upper bound on each half. `files` were played under `candidates`, of which
 * the first is no pruning and the second `recommended`. Linear in files and candidates.
 */
export function tune(
  files: readonly ComparedFile[],
  { candidates, mostRegretted }: { readonly candidates: readonly TuneCandidate[]; readonly mostRegretted: number },
): Tuning {
  const parts = dealParts(files);
  const chosenOn = figuresOf(parts.chosenOn);
  const heldOut = figuresOf(parts.heldOut);
  const profiles = candidates.flatMap((candidate, at): TunedProfile[] => {
    const one = chosenOn[at];
    const other = heldOut[at];
    return one && other ? [{ ...candidate, chosenOn: one, heldOut: other }] : [];
  });
  const neededEdits = leastEvents(mostRegretted);
  return { parts, profiles, neededEdits, verdict: verdictOf(profiles, { neededEdits, mostRegretted }) };
}

function verdictOf(
  [none, recommended, ...others]: readonly TunedProfile[],
  { neededEdits, mostRegretted }: { readonly neededEdits: number; readonly mostRegretted: number },
): TuneVerdict {
  if (none === undefined || recommended === undefined) return { kind: 'too-little' };
  const hasEnough = [none.chosenOn, none.heldOut].every(({ evidencedEdits }) => evidencedEdits >= neededEdits);
  if (!hasEnough) return { kind: 'too-little' };
  const allowed = [recommended, ...others].filter(
    ({ chosenOn }) => chosenOn.regrettedAtMost <= mostRegretted && chosenOn.dollars <= none.chosenOn.dollars,
  );
  const [chosen] = allowed.sort((one, other) => costOrder(one.chosenOn, other.chosenOn));
  if (chosen === undefined) return { kind: 'none' };
  if (chosen === recommended) return { kind: 'recommended' };
  const reasons = objections(chosen.heldOut, {
    none: none.heldOut,
    recommended: recommended.heldOut,
    mostRegretted,
  });
  return reasons.length === 0 ? { kind: 'better', chosen } : { kind: 'not-confirmed', chosen, reasons };
}

/** The cheaper first; of equal ones, where nothing pays or nothing has a price, the smaller. */
const costOrder = (one: PartFigures, other: PartFigures): number =>
  one.dollars - other.dollars || other.savedRatio - one.savedRatio;

/** Why a profile is not saved, from what it did on sessions that it was not chosen on. */
function objections(
  own: PartFigures,
  {
    none,
    recommended,
    mostRegretted,
  }: { readonly none: PartFigures; readonly recommended: PartFigures; readonly mostRegretted: number },
): string[] {
  const reasons: string[] = [];
  const regretsLess = own.regrettedEdits < recommended.regrettedEdits;
  if (own.dollars > none.dollars) reasons.push('it was more expensive than no pruning');
  if (costOrder(own, recommended) >= 0 && !regretsLess) reasons.push('it was not cheaper than `recommended`');
  if (own.regrettedEdits > recommended.regrettedEdits) reasons.push('it regretted more edits than `recommended`');
  else if (own.exactRegrets > recommended.exactRegrets) reasons.push('it regretted more than `recommended`');
  if (own.regrettedAtMost > mostRegretted) reasons.push('too many edits may be regretted');
  return reasons;
}
