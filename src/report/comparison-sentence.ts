import type { PolicyTotals } from '../lab/totals.ts';
import { leastEvents, upperBound } from '../lab/tune/upper-bound.ts';
import { regrettedRatio, share } from './comparison-report.ts';
import { counted, grouped } from './figures.ts';

/** More regretted edits than this are no advice. */
const MAX_REGRETTED = 0.01;
/** Fewer evidenced edits cannot show that less than 5% of edits are regretted. */
const ENOUGH_EDITS = leastEvents(0.05);
/** Half of the last digit that is shown. */
const SHOWN = 0.0005;

/** `27%`, `3.1%`. */
const rough = (ratio: number): string => (Math.abs(ratio) < 0.0995 ? share(ratio) : `${Math.round(100 * ratio)}%`);

const named = ({ policy }: PolicyTotals): string => `\`${policy}\``;

const tokens = ({ savedRatio }: PolicyTotals): string =>
  `${rough(Math.abs(savedRatio))} ${savedRatio < 0 ? 'more' : 'fewer'} tokens of recorded text`;

function bill({ dollarsRatio, pricedSessions }: PolicyTotals): string {
  if (pricedSessions === 0) return 'at a cost that is not known';
  if (Math.abs(dollarsRatio) < SHOWN) return 'at the same cost';
  return `${rough(Math.abs(dollarsRatio))} ${dollarsRatio > 0 ? 'more expensive' : 'cheaper'}`;
}

const yours = (sessions: number): string => (sessions === 1 ? 'your session' : `your ${counted(sessions, 'session')}`);

/** What is known about regrets: first about edits, with the sessions that it is known from, then about other uses of removed text. */
function regretted(totals: PolicyTotals): string {
  const { quotation, name, rerun } = totals.regrets;
  const others = [
    ...(rerun > 0 ? [counted(rerun, 'call made again', 'calls made again')] : []),
    ...(quotation > 0 ? [counted(quotation, 'quotation')] : []),
    ...(name > 0 ? [counted(name, 'name')] : []),
  ];
  return [
    regrettedEdits(totals),
    ...(others.length > 0 ? [`other uses of removed text: ${others.join(', ')}`] : []),
  ].join('; ');
}

/** What is known about regretted edits. */
function regrettedEdits({ regrets, evidencedEdits, sessions }: PolicyTotals): string {
  const where = `in ${yours(sessions)}`;
  if (evidencedEdits === 0) return `and no edit ${where} could say what is missed later`;
  const bound = share(upperBound(regrets.edit, evidencedEdits));
  if (regrets.edit > 0)
    return `${grouped(regrets.edit)} of ${counted(evidencedEdits, 'edit')} regretted ${where} (at 95% confidence under ${bound})`;
  if (evidencedEdits >= ENOUGH_EDITS) return `none of ${counted(evidencedEdits, 'edit')} regretted ${where}`;
  return `no edit regretted ${where}, but ${counted(evidencedEdits, 'edit')} ${evidencedEdits === 1 ? 'is' : 'are'} too few to say how safe it is (under ${bound})`;
}

/** Why a profile is no advice without a condition. */
interface Objection {
  readonly why: string;
  /** What a person must accept for it; absent if it is better than no pruning in nothing. */
  readonly accepted?: string;
}

/** `undefined` if there is none. */
function objection(totals: PolicyTotals): Objection | undefined {
  const { savedRatio, dollarsRatio, regrets, evidencedEdits } = totals;
  const ratio = regrettedRatio(totals);
  const isRegretted = ratio > MAX_REGRETTED;
  if (savedRatio < SHOWN && dollarsRatio > -SHOWN && dollarsRatio < SHOWN) return { why: 'changes next to nothing' };
  if (dollarsRatio >= SHOWN) {
    const why = `is ${bill(totals)}, with ${tokens(totals)}`;
    return savedRatio < SHOWN ? { why } : { why, accepted: isRegretted ? 'its cost and its regrets' : 'its cost' };
  }
  if (!isRegretted) return undefined;
  const why = `regrets ${grouped(regrets.edit)} of ${counted(evidencedEdits, 'edit')} (${rough(ratio)})`;
  return { why, accepted: 'its regrets' };
}

/**
 * The result of a comparison in a sentence. It advises `recommended` if that is better than no pruning, else the cheapest
 * profile that is, else one that is better in money or room if a person accepts the rest, else none; a better choice among
 * many needs sessions that it was not chosen on (`density compare --save`). `undefined` if only no pruning was compared.
 */
export function comparisonSentence(totals: readonly PolicyTotals[]): string | undefined {
  const isRecommended = ({ policy }: PolicyTotals): boolean => policy === 'recommended';
  const others = totals
    .slice(1)
    .sort((one, other) => Number(isRecommended(other)) - Number(isRecommended(one)) || one.dollars - other.dollars)
    .map((one) => ({ one, objection: objection(one) }));
  const [first] = others;
  if (first === undefined) return undefined;
  const use = ({ one }: typeof first, condition: string): string =>
    `Use ${named(one)}${condition}: ${tokens(one)}, ${bill(one)}, ${regretted(one)}.`;
  const best = others.find((other) => other.objection === undefined);
  if (best !== undefined) return use(best, '');
  const conditional = others.find((other) => other.objection?.accepted !== undefined);
  if (conditional !== undefined) return use(conditional, ` if you accept ${conditional.objection?.accepted}`);
  const all = others.length === 1 ? '' : ', and no other is better';
  return `Nothing is better than no pruning for ${yours(first.one.sessions)}: ${named(first.one)} ${first.objection?.why}${all}.`;
}
