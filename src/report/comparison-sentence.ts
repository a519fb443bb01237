import type { PolicyTotals } from '../lab/totals.ts';
import { leastEvents, upperBound } from '../lab/tune/upper-bound.ts';
import { regrettedRatio, share } from './comparison-report.ts';
import { counted, grouped } from './figures.ts';

/** More regretted edits than this are no advice. */
const MOST_REGRETTED = 0.01;
/** Fewer evidenced edits cannot show that less than 5% of edits are regretted. */
const ENOUGH_EDITS = leastEvents(0.05);
/** Half of the last digit that is shown. */
const SHOWN = 0.0005;

/** `27%`, `3.1%`. */
const rough = (ratio: number): string => (Math.abs(ratio) < 0.0995 ? share(ratio) : `${Math.round(100 * ratio)}%`);

const named = ({ policy }: PolicyTotals): string => `\`${policy}\``;

const tokens = ({ savedRatio }: PolicyTotals): string =>
  `${rough(Math.abs(savedRatio))} ${savedRatio < 0 ? 'more' : 'fewer'} tokens`;

function bill({ dollarsRatio, pricedSessions }: PolicyTotals): string {
  if (pricedSessions === 0) return 'at a cost that is not known';
  if (Math.abs(dollarsRatio) < SHOWN) return 'at the same cost';
  return `${rough(Math.abs(dollarsRatio))} ${dollarsRatio > 0 ? 'more expensive' : 'cheaper'}`;
}

const yours = (sessions: number): string => (sessions === 1 ? 'your session' : `your ${counted(sessions, 'session')}`);

/** What is known about regretted edits, with the sessions that it is known from. */
function regretted({ regrets, evidencedEdits, sessions }: PolicyTotals): string {
  const where = `in ${yours(sessions)}`;
  if (evidencedEdits === 0) return `and no edit ${where} could say what is missed later`;
  const bound = share(upperBound(regrets.edit, evidencedEdits));
  if (regrets.edit > 0)
    return `${grouped(regrets.edit)} of ${counted(evidencedEdits, 'edit')} regretted ${where} (at 95% confidence under ${bound})`;
  if (evidencedEdits >= ENOUGH_EDITS) return `none of ${counted(evidencedEdits, 'edit')} regretted ${where}`;
  return `no edit regretted ${where}, but ${counted(evidencedEdits, 'edit')} ${evidencedEdits === 1 ? 'is' : 'are'} too few to say how safe it is (under ${bound})`;
}

/** Why a profile is no advice; `undefined` if it is. */
function objection(totals: PolicyTotals): string | undefined {
  const ratio = regrettedRatio(totals);
  if (totals.savedRatio < SHOWN && totals.dollarsRatio > -SHOWN) return 'changes next to nothing';
  if (totals.dollarsRatio >= SHOWN) return `is ${bill(totals)}, with ${tokens(totals)}`;
  if (ratio > MOST_REGRETTED)
    return `regrets ${grouped(totals.regrets.edit)} of ${counted(totals.evidencedEdits, 'edit')} (${rough(ratio)})`;
  return undefined;
}

/**
 * The result of a comparison in a sentence. It advises `recommended` if that is better than no pruning, else the cheapest
 * profile that is, else none; a better choice among many needs sessions that it was not chosen on (`density tune`).
 * `undefined` if only no pruning was compared.
 */
export function comparisonSentence(totals: readonly PolicyTotals[]): string | undefined {
  const isRecommended = ({ policy }: PolicyTotals): boolean => policy === 'recommended';
  const others = totals
    .slice(1)
    .sort((one, other) => Number(isRecommended(other)) - Number(isRecommended(one)) || one.dollars - other.dollars);
  const [first] = others;
  if (first === undefined) return undefined;
  const best = others.find((one) => objection(one) === undefined);
  if (best !== undefined) return `Use ${named(best)}: ${tokens(best)}, ${bill(best)}, ${regretted(best)}.`;
  const all = others.length === 1 ? '' : ', and no other is better';
  return `Nothing is better than no pruning for ${yours(first.sessions)}: ${named(first)} ${objection(first)}${all}.`;
}
