import path from 'node:path';
import type { ComparedFile } from '../../../lab/compared-file.ts';
import { policyTotals } from '../../../lab/totals.ts';
import { change, share } from '../../../report/comparison-report.ts';
import { comparisonSentence } from '../../../report/comparison-sentence.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { compact, counted, dollars, duration, grouped } from '../../../report/figures.ts';
import { CERTIFICATE_ROWS, CERTIFICATE_RULES } from '../../../strategies/reasons/edit-reason.ts';
import { type Copied, copiedNote } from '../../options/copies/copied-note.ts';
import { ranked, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { priceNotes } from './price-notes.ts';

/** Room for `recommended` and `when-it-pays`. */
const LEAST_NAME = 12;

const shareOf = (part: number, whole: number): string => (whole === 0 ? '–' : share(part / whole));

/** `−3`, `+1` or `0`. */
const timesChanged = (times: number): string =>
  times === 0 ? '0' : `${times < 0 ? '−' : '+'}${grouped(Math.abs(times))}`;

/** The error of the modelled share of cached input over all calls with recorded usage: median and 90th percentile. */
export function usageLine(files: readonly ComparedFile[]): string | undefined {
  const checks = files.flatMap(({ usage }) => usage ?? []);
  const errors = checks.flatMap(({ shareErrors }) => shareErrors).sort((one, other) => one - other);
  if (errors.length === 0) return undefined;
  const at = (rank: number): string => (100 * (errors[Math.floor(rank * (errors.length - 1))] ?? 0)).toFixed(1);
  const total = (of: (check: (typeof checks)[number]) => number): number =>
    checks.reduce((sum, check) => sum + of(check), 0);
  const prompt = total((check) => check.promptTokens.modelled) / total((check) => check.promptTokens.recorded) - 1;
  const cached = total((check) => check.cachedTokens.modelled) / total((check) => check.cachedTokens.recorded) - 1;
  return `The cost model compared with ${counted(errors.length, 'call')} of ${counted(checks.length, 'session')} with recorded usage: input ${change(prompt)}, cached input ${change(cached)}; the cached share is off by ${at(0.5)} points at the median, ${at(0.9)} at the 90th percentile.`;
}

/** Calls of these files whose usage is not used. */
export const contradictedOf = (files: readonly ComparedFile[]) =>
  files.flatMap(({ path: file, contradicted }) =>
    contradicted.map((call) => ({ ...call, session: path.basename(file) })),
  );

interface ComparisonReport extends Copied {
  /** Time to play all sessions; undefined if some results were kept from an earlier run. */
  readonly tookMs: number | undefined;
  readonly screen: Screen;
}

/** The result in a sentence, the profiles in tables, and how the figures are made. */
export function comparisonTable(
  files: readonly ComparedFile[],
  { tookMs, screen, ...copied }: ComparisonReport,
): string {
  const totals = policyTotals(files);
  const { bold, dim } = screen.colors;
  const saved = tableLines(
    [
      { title: 'profile', shrink: 'end', least: LEAST_NAME },
      ...ranked(1, rightAligned('sent')),
      ...rightAligned('saved'),
      ...ranked(3, rightAligned('peak')),
      ...ranked(2, rightAligned('compressed')),
      ...rightAligned('bill', 'change'),
      ...ranked(2, rightAligned('if 1 h', 'invalid')),
    ],
    totals.map((policy) => [
      policy.policy,
      compact(policy.tokensSent),
      share(policy.savedRatio),
      compact(policy.tokensPeak),
      timesChanged(-policy.compressionsAvoided),
      ...(policy.pricedSessions === 0
        ? ['–', '–', '–']
        : [dollars(policy.dollars), change(policy.dollarsRatio), change(policy.dollarsHourRatio)]),
      compact(policy.unboundThinkingTokens),
    ]),
    { columns: screen.columns, heading: dim, cell: (text, _row, column) => (column === 2 ? bold(text) : text) },
  );
  const regretted = tableLines(
    [
      { title: 'needed later', shrink: 'end' },
      ...rightAligned('edits', '', 'quotations', 'names', 'calls again', 'per 1M'),
    ],
    totals.map(({ policy, regrets, evidencedEdits, regretsPerMillion }) => [
      policy,
      grouped(regrets.edit),
      shareOf(regrets.edit, evidencedEdits),
      grouped(regrets.quotation),
      grouped(regrets.name),
      grouped(regrets.rerun),
      regretsPerMillion === null ? '–' : regretsPerMillion.toFixed(1),
    ]),
    { columns: screen.columns, heading: dim, cell: (text, _row, column) => (column === 2 ? bold(text) : text) },
  );
  const rules = CERTIFICATE_RULES.filter((rule) => totals.some((policy) => policy.regretsByRule[rule] > 0));
  const byRule = tableLines(
    [
      { title: 'regrets by rule', shrink: 'end' },
      ...rules.map((rule) => ({ title: CERTIFICATE_ROWS[rule].terminal, align: 'right' as const })),
    ],
    totals.map(({ policy, regretsByRule }) => [policy, ...rules.map((rule) => grouped(regretsByRule[rule]))]),
    { columns: screen.columns, heading: dim },
  );
  const [first] = totals;
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const took = tookMs === undefined ? '' : ` in ${duration(tookMs)}`;
  const usage = usageLine(files);
  const facts = [
    `${counted(files.length, 'session')}, ${counted(first?.calls ?? 0, 'model call')}, ${counted(first?.evidencedEdits ?? 0, 'edit')} of text that was shown before; ${(bytes / 1e6).toFixed(1)} MB${took}.`,
    ...copiedNote(copied),
    'Needed later: removed lines without a visible copy when an edit replaced them, a message quoted them, or a call was repeated.',
    'Regrets by rule: everything that was needed later, by what removed it: edits, quotations, names and calls. The advice counts edits alone.',
    'Per 1M: everything that was needed later, for each million tokens that were saved.',
    "Sent: tokens of all calls, as we count the recorded text: without system prompt and tools, which the bill and the provider's counts in `replay` include. Saved: the share of them that was not sent. Peak: these tokens of the largest call. Compressed: how many times less often (−) or more often (+) than without pruning. Invalid: tokens of signed thinking that a change made invalid.",
    "Bill: with the cache lifetime that was recorded, else the model's own. Change: of this bill, against no pruning. If 1 h: the same change if every cache lived for 1 hour.",
    ...priceNotes(files.map(({ model }) => model)),
    ...(usage === undefined ? [] : [usage]),
    ...contradictedNote(contradictedOf(files)),
  ];
  const ruleLines = rules.length === 0 ? [] : [...byRule, ''];
  const advice = comparisonSentence(totals);
  const adviceLines = advice === undefined ? [] : [bold(wrapped(advice, screen.columns)), ''];
  return `${[...adviceLines, ...saved, '', ...regretted, '', ...ruleLines, ...facts.map((fact) => dim(wrapped(fact, screen.columns)))].join('\n')}\n`;
}
