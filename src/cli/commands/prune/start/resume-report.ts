import { counted, dollars, grouped, percent } from '../../../../report/figures.ts';
import type { Removals } from '../../../../strategies/removals.ts';
import type { SessionFile } from '../../../options/session-file.ts';
import { rightAligned, tableLines, wrapped } from '../../../terminal/columns.ts';
import { printable, type Screen } from '../../../terminal/terminal.ts';
import { priceWords } from '../price-words.ts';
import { removalTable } from '../removal-table.ts';
import type { ResumeCost, ResumedPrompt } from './resume-cost.ts';

/** `3 minutes`, `5 hours`, `2 days`. */
function longTime(ms: number): string {
  const units = [
    [24 * 60 * 60_000, 'day'],
    [60 * 60_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [unit, name] = units.find(([length]) => ms >= length) ?? units[2];
  const count = Math.floor(ms / unit);
  return count === 0 ? 'under a minute' : counted(count, name);
}

function cacheWords({ cache, idleMs }: ResumeCost): string {
  if (idleMs === undefined) return 'it is not known when it was used last, so its prompt cache counts as warm';
  const state = cache === 'warm' ? 'may still contain it' : `has ${cache}`;
  return `last model call ${longTime(idleMs)} ago; the prompt cache ${state}`;
}

const dollarsOf = ({ dollars: amount }: Pick<ResumedPrompt, 'dollars'>): string =>
  amount === undefined ? 'no known price' : dollars(amount);

/** Why there is a copy although nothing of it is removed now. */
const formsWords = (count: number): string =>
  `${counted(count, 'entry', 'entries')} were sent in shorter forms than the session contains: the copy has these forms, so the prompt cache and earlier thinking remain valid.`;

interface Resuming {
  readonly cost: ResumeCost;
  readonly removals: Removals;
  readonly tokensBefore: number;
  /** Entries that were sent in other forms than the session contains. */
  readonly sentForms: number;
}

/** What resuming costs as it is, and pruned. */
export function resumeReport(
  { format }: SessionFile,
  { cost, removals, tokensBefore, sentForms }: Resuming,
  screen: Screen,
): string {
  const { bold, dim, green } = screen.colors;
  const { asItIs, pruned, decision, model, rules } = cost;
  const isSmaller = pruned.tokens < asItIs.tokens;
  const row = (name: string, { tokens, cachedTokens, ...prompt }: ResumedPrompt): string[] => [
    name,
    grouped(tokens),
    percent(cachedTokens, tokens),
    dollarsOf(prompt),
  ];
  const lines = tableLines(
    [{ title: 'the next call' }, ...rightAligned('tokens', 'in the cache', 'input costs')],
    [row('as it is', asItIs), ...(isSmaller ? [row('pruned', pruned)] : [])],
    { columns: screen.columns, heading: dim },
  );
  const applies = decision.apply.length > 0;
  const isFree = decision.cause === 'cold' || decision.cause === 'unsent';
  const why = isFree
    ? 'Pruning costs nothing extra now: all of it is written to the cache again.'
    : wrapped(`Pruning ${decision.reason}.`, screen.columns);
  return [
    `${bold(format.title)}, ${printable(model)}`,
    dim(cacheWords(cost)),
    '',
    ...lines,
    ...(asItIs.dollars === undefined ? [] : [dim(wrapped(priceWords(rules), screen.columns))]),
    '',
    removalTable(removals, { tokensBefore, unknown: [], screen }),
    ...(isSmaller ? [applies ? green(why) : why, ''] : []),
    ...(sentForms > 0 ? [wrapped(formsWords(sentForms), screen.columns), ''] : []),
  ].join('\n');
}
