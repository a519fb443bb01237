import { missingPriceLine } from '../../../economics/models/missing-price.ts';
import { SAVING_CAUSES } from '../../../lab/played/cause-savings.ts';
import type { SessionWorth } from '../../../lab/played/session-worth.ts';
import { type ReplayResult, removalsOf } from '../../../replay/result.ts';
import { NO_STRATEGY } from '../../../replay/strategy-layers.ts';
import { changeInDollars, compact, counted, duration, grouped, percent } from '../../../report/figures.ts';
import { exampleGainsLine } from '../../../report/measured-savings.ts';
import { noticeKinds } from '../../../report/notice-kinds.ts';
import { CAUSE_WORDS, worthLine, worthOf } from '../../../report/worth-words.ts';
import { copiedNote } from '../../options/copies/copied-note.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import { gauge } from '../../terminal/bar.ts';
import { type Column, rightAligned, tableLines } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { padded, wrapped } from '../../terminal/text-width.ts';
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
    const share = percent(tokens, contextLimit);
    if (isPlain) return `${padded(label, 12)} ${share}`;
    return `${padded(label, 12)} ${(isOver ? colors.red : paint)(filled)}${colors.dim(track)} ${isOver ? colors.red(share) : share}`;
  };
  const lines = [
    colors.dim(`fullest call, in a window of ${counted(contextLimit, 'token')}`),
    line('as recorded', tokensPeakRaw, colors.yellow),
  ];
  if (strategy !== NO_STRATEGY) lines.push(line('pruned', tokensPeak, colors.green));
  return lines.join('\n');
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
  ];
  if (result.turnsOverLimitRaw > 0) {
    rows.push(row('calls over the window', result.turnsOverLimitRaw, result.turnsOverLimit, grouped));
  }
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
  const { gateMs, stallMs, usageError } = result;
  const lines: string[] = [];
  const own =
    result.rebuilds > 0 ? dim(`, the agent itself rebuilt its history ${counted(result.rebuilds, 'time')}`) : '';
  lines.push(`${counted(result.compressions, 'compression')}${own}`);
  const decided = decisionLine(result);
  if (decided !== undefined) lines.push(wrapped(decided, screen.columns));
  if (result.turnsRefused > 0) {
    lines.push(red(`${counted(result.turnsRefused, 'call')} did not fit into the window`));
  }
  lines.push(
    result.pairsBroken === 0
      ? green('every call kept its response')
      : red(
          `${counted(result.pairsBroken, 'call or response', 'calls or responses')} lost the other half: this is a bug`,
        ),
  );
  lines.push(
    wrapped(
      `gate ${duration(gateMs.p50)} a call, ${duration(gateMs.p99)} at the 99th percentile, ${duration(gateMs.max)} at most`,
      screen.columns,
    ),
    `main thread blocked for ${duration(stallMs.max)} at most`,
  );
  if (usageError !== null) {
    const { total, median, calls } = usageError;
    const [off, single] = [Math.abs(total), median].map((ratio) => `${(ratio * 100).toFixed(1)}%`);
    lines.push(
      wrapped(
        `our count is ${off} ${total < 0 ? 'below' : 'above'} the provider's in total (${counted(calls, 'call')}; one call is ${single} off at the median)`,
        screen.columns,
      ),
    );
  }
  lines.push(...noticeLines(result.notices, screen));
  return lines;
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
    [{ title: 'removed when' }, ...rightAligned('moments', 'tokens saved', ...(isPriced ? ['bill'] : []))],
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
  if (result === undefined) return '';
  const { dim, bold } = screen.colors;
  const played = `${counted(result.turns, 'model call')} played with ${bold(result.strategy)} ${dim(`(${result.engine} engine, ${duration(tookMs)})`)}`;
  const removed =
    result.strategy === 'none'
      ? ''
      : `${removalTable(removalsOf(result), { tokensBefore: result.tokensRecorded, unknown: unknownTools, screen })}\n`;
  const [worth] = worths;
  const verdict = worth === undefined ? '' : `${bold(wrapped(worthLine(worthOf(result, worth)), screen.columns))}\n`;
  // The bundled example has no size.
  const isExample = source.sizeBytes === undefined && result.strategy !== NO_STRATEGY;
  const example = isExample ? `${wrapped(exampleGainsLine(), screen.columns)}\n` : '';
  const dropping = droppingLine([replayed]);
  const offer = dropping === undefined ? '' : `${wrapped(dropping, screen.columns)}\n`;
  const missing = worth?.priceMatch === 'unknown' ? missingPriceLine([result.model]) : undefined;
  const noPrice = missing === undefined ? '' : `${wrapped(missing, screen.columns)}\n`;
  const causes = worth === undefined ? [] : causeTable(worth, screen);
  const savedBy = causes.length === 0 ? '' : `${causes.join('\n')}\n\n`;
  const copies = copiedNote(result.turnsCopied).map((text) => `${wrapped(text, screen.columns)}\n`);
  return `${sessionHeading(source, { ...result, screen })}\n${played}\n${copies.join('')}${verdict}${example}${offer}${noPrice}\n${windowGauges(result, screen)}\n\n${tokensTable(result, screen)}\n\n${removed}${savedBy}${closingLines(result, screen).join('\n')}\n`;
}
