import { missingPriceLine } from '../../../economics/models/missing-price.ts';
import { SAVING_CAUSES } from '../../../lab/played/cause-savings.ts';
import type { SessionWorth } from '../../../lab/played/session-worth.ts';
import { type ReplayResult, removalsOf } from '../../../replay/result.ts';
import { NO_STRATEGY } from '../../../replay/strategy-layers.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { changeInDollars, compact, counted, duration, fullness, grouped } from '../../../report/figures.ts';
import { exampleGainsLine } from '../../../report/measured-savings.ts';
import { noticeKinds } from '../../../report/notice-kinds.ts';
import { CAUSE_WORDS, worthLine, worthOf } from '../../../report/worth-words.ts';
import { copiedNote } from '../../options/copies/copied-note.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import { gauge } from '../../terminal/bar.ts';
import { type Column, padded, rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { removalTable } from '../prune/removal-table.ts';
import { decisionLine, droppingLine } from './decision-line.ts';
import type { ReplayedSession } from './replayed-session.ts';
import { saving } from './saving.ts';

const GAUGE_COLUMNS = 40;
const NOTICES_AT_MOST = 5;

/** The fullest call as two gauges: without and with pruning. */
function windowGauges(
  { strategy, tokensPeakRaw, tokensPeak, contextLimit }: ReplayResult,
  { colors, isPlain }: Screen,
): string {
  const line = (label: string, tokens: number, paint: (text: string) => string): string => {
    const { filled, track } = gauge(tokens / contextLimit, GAUGE_COLUMNS);
    const isOver = tokens > contextLimit;
    const share = fullness(tokens, contextLimit);
    if (isPlain) return `${padded(label, 12)} ${share}`;
    return `${padded(label, 12)} ${(isOver ? colors.red : paint)(filled)}${colors.dim(track)} ${isOver ? colors.red(share) : share}`;
  };
  return [
    colors.dim(`fullest call, in a window of ${counted(contextLimit, 'token')}`),
    line('as recorded', tokensPeakRaw, colors.yellow),
    ...(strategy === NO_STRATEGY ? [] : [line('pruned', tokensPeak, colors.green)]),
  ].join('\n');
}

function tokensTable(result: ReplayResult, screen: Screen): string {
  const { dim, bold, green } = screen.colors;
  const pruned: readonly Column[] = [...rightAligned('pruned', 'saved')];
  const row = (what: string, before: number, after: number, show: (value: number) => string): string[] => [
    what,
    show(before),
    show(after),
    saving(before, after),
  ];
  const rows = [
    row('last call', result.tokensRaw, result.tokensAfter, grouped),
    row('fullest call', result.tokensPeakRaw, result.tokensPeak, grouped),
    row('all calls together', result.tokensSentRaw, result.tokensSent, compact),
    ...(result.turnsOverLimitRaw > 0
      ? [row('calls over the window', result.turnsOverLimitRaw, result.turnsOverLimit, grouped)]
      : []),
  ];
  return tableLines(
    [
      { title: 'tokens sent in the' },
      { title: 'as recorded', align: 'right' },
      ...(result.strategy === NO_STRATEGY ? [] : pruned),
    ],
    rows,
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (column === 3 ? green(text) : column === 2 ? bold(text) : text),
    },
  ).join('\n');
}

function closingLines(result: ReplayResult, screen: Screen): string[] {
  const { dim, red, green } = screen.colors;
  const { gateMs, stallMs, rebuilds, turnsRefused, pairsBroken } = result;
  const own = rebuilds > 0 ? dim(`, the agent itself rebuilt its history ${counted(rebuilds, 'time')}`) : '';
  const decided = decisionLine(result);
  return [
    `${counted(result.compressions, 'compression')}${own}`,
    ...(decided === undefined ? [] : [wrapped(decided, screen.columns)]),
    ...(turnsRefused > 0 ? [red(`${counted(turnsRefused, 'call')} did not fit into the window`)] : []),
    pairsBroken === 0
      ? green('each call still has its result')
      : red(`${counted(pairsBroken, 'call or response', 'calls or responses')} lost the other half: this is a bug`),
    wrapped(
      `pruning took ${duration(gateMs.p50)} a call, ${duration(gateMs.p99)} at the 99th percentile, ${duration(gateMs.max)} at most`,
      screen.columns,
    ),
    `main thread blocked for ${duration(stallMs.max)} at most`,
    ...contradictedNote(result.contradicted).map((text) => screen.colors.yellow(wrapped(text, screen.columns))),
    ...countLines(result, screen),
    ...noticeLines(result.notices, screen),
  ];
}

/** How far our count is from the provider's; no line where no usage is recorded. */
function countLines({ usageError }: ReplayResult, { columns }: Screen): string[] {
  if (usageError === null) return [];
  const { total, median, calls } = usageError;
  const [off, single] = [Math.abs(total), median].map((ratio) => `${(ratio * 100).toFixed(1)}%`);
  return [
    wrapped(
      `our count is ${off} ${total < 0 ? 'below' : 'above'} the provider's in total (${counted(calls, 'call')}; one call is ${single} off at the median)`,
      columns,
    ),
  ];
}

/** One notice of each kind; the rarest kinds are only counted. */
function noticeLines(notices: readonly string[], { colors, columns }: Screen): string[] {
  const kinds = noticeKinds(notices);
  const shown = kinds.slice(0, NOTICES_AT_MOST).map(({ first, count }) => {
    const more = count > 1 ? ` (and ${counted(count - 1, 'notice')} like it)` : '';
    return colors.yellow(wrapped(`${first}${more}`, columns));
  });
  const left = kinds.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return left > 0 ? [...shown, colors.dim(`and ${counted(left, 'other notice')}; --json lists them`)] : shown;
}

/** What was saved, by why it was removed at that moment; no lines where there is one cause or none. */
function causeTable({ savedBy, priceMatch }: SessionWorth, screen: Screen): readonly string[] {
  const causes = SAVING_CAUSES.filter((cause) => savedBy[cause] !== undefined);
  if (causes.length === 0 || (causes.length === 1 && causes[0] === 'always')) return [];
  const isPriced = priceMatch !== 'unknown';
  return tableLines(
    [{ title: 'when text was removed' }, ...rightAligned('times', 'tokens saved', ...(isPriced ? ['bill'] : []))],
    causes.map((cause) => {
      const { moves, tokens, dollars } = savedBy[cause]!;
      return [CAUSE_WORDS[cause], grouped(moves), compact(tokens), ...(isPriced ? [changeInDollars(dollars, 0)] : [])];
    }),
    { columns: screen.columns, heading: screen.colors.dim },
  );
}

/** The report of one session under one strategy. */
export function replayReport(replayed: ReplayedSession, screen: Screen): string {
  const { source, results, worths, unknownTools, tookMs } = replayed;
  const [result] = results;
  const [worth] = worths;
  if (result === undefined) return '';
  const { dim, bold } = screen.colors;
  const line = (text: string | undefined, paint = (shown: string): string => shown): string =>
    text === undefined ? '' : `${paint(wrapped(text, screen.columns))}\n`;
  const removed =
    result.strategy === NO_STRATEGY
      ? ''
      : `${removalTable(removalsOf(result), { tokensBefore: result.tokensRecorded, unknown: unknownTools, screen })}\n`;
  // The bundled example has no size.
  const isExample = source.sizeBytes === undefined && result.strategy !== NO_STRATEGY;
  const causes = worth === undefined ? [] : causeTable(worth, screen);
  return [
    `${sessionHeading(source, { ...result, screen })}\n`,
    `${counted(result.turns, 'model call')} played with ${bold(result.strategy)} ${dim(`(${result.engine} engine, ${duration(tookMs)})`)}\n`,
    ...copiedNote({ copiedCalls: result.turnsCopied }).map((text) => line(text)),
    line(worth && worthLine(worthOf(result, worth)), bold),
    line(isExample ? exampleGainsLine() : undefined),
    line(droppingLine([replayed])),
    line(worth?.priceMatch === 'unknown' ? missingPriceLine([result.model]) : undefined),
    `\n${windowGauges(result, screen)}\n\n${tokensTable(result, screen)}\n\n`,
    removed,
    causes.length === 0 ? '' : `${causes.join('\n')}\n\n`,
    `${closingLines(result, screen).join('\n')}\n`,
  ].join('');
}
