import path from 'node:path';
import { type ReplayResult, removalsOf } from '../../../replay/result.ts';
import { compact, counted, duration, grouped, percent } from '../../../report/figures.ts';
import { noticeKinds } from '../../../report/notice-kinds.ts';
import { NO_STRATEGY } from '../../options/policies.ts';
import { sessionHeading, skippedNote } from '../../options/session-summary.ts';
import { gauge } from '../../terminal/bar.ts';
import { printable } from '../../terminal/printable.ts';
import { type Column, tableLines } from '../../terminal/table.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { padded, wrapped } from '../../terminal/text-width.ts';
import { removalTable } from '../prune/removal-table.ts';
import type { ReplayedSession } from './replayed-session.ts';

const GAUGE_COLUMNS = 40;
const NOTICES_AT_MOST = 5;

/** How much smaller `after` is, as `−31%`; empty if it is not. */
function saving(before: number, after: number): string {
  return after < before ? `−${percent(before - after, before)}` : '';
}

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
    colors.dim(`fullest call, in a window of ${grouped(contextLimit)} tokens`),
    line('as recorded', tokensPeakRaw, colors.yellow),
  ];
  if (strategy !== NO_STRATEGY) lines.push(line('pruned', tokensPeak, colors.green));
  return lines.join('\n');
}

function tokensTable(result: ReplayResult, screen: Screen): string {
  const { dim, bold, green } = screen.colors;
  const pruned: readonly Column[] = [
    { title: 'pruned', align: 'right' },
    { title: 'saved', align: 'right' },
  ];
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
    `gate ${duration(gateMs.p50)} a call, ${duration(gateMs.p99)} at the 99th percentile, ${duration(gateMs.max)} at most`,
    `main thread blocked for ${duration(stallMs.max)} at most`,
  );
  if (usageError !== null) {
    const calls = counted(usageError.calls, 'call');
    lines.push(
      `our count differs by ${(usageError.median * 100).toFixed(1)}% from the provider's (median of ${calls})`,
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

/** The report of one session under one strategy. */
export function replayReport({ source, results, tookMs }: ReplayedSession, screen: Screen): string {
  const [result] = results;
  if (result === undefined) return '';
  const { dim, bold } = screen.colors;
  const heading = sessionHeading(source, {
    model: result.model,
    contextLimit: result.contextLimit,
    tokens: result.tokensRaw,
    entries: result.entries,
    screen,
  });
  const played = `${counted(result.turns, 'model call')} played with ${bold(result.strategy)} ${dim(`(${result.engine} engine, ${duration(tookMs)})`)}`;
  const taken =
    result.strategy === 'none'
      ? ''
      : `${removalTable(removalsOf(result), { tokensBefore: result.tokensRecorded, screen })}\n`;
  return `${heading}${skippedNote(source, screen)}\n${played}\n\n${windowGauges(result, screen)}\n\n${tokensTable(result, screen)}\n\n${taken}${closingLines(result, screen).join('\n')}\n`;
}

/** Several strategies over one session, side by side. */
export function comparisonReport({ source, results, tookMs }: ReplayedSession, screen: Screen): string {
  const [first] = results;
  if (first === undefined) return '';
  const { bold, dim, green } = screen.colors;
  const heading = sessionHeading(source, {
    model: first.model,
    contextLimit: first.contextLimit,
    tokens: first.tokensRaw,
    entries: first.entries,
    screen,
  });
  const lines = tableLines(
    [
      { title: 'strategy' },
      { title: 'fullest call', align: 'right' },
      { title: 'window', align: 'right' },
      { title: 'all calls', align: 'right' },
      { title: 'saved', align: 'right' },
      { title: 'compr.', align: 'right' },
      { title: 'gate p99', align: 'right' },
    ],
    results.map((result) => [
      result.strategy,
      grouped(result.tokensPeak),
      percent(result.tokensPeak, result.contextLimit),
      compact(result.tokensSent),
      saving(result.tokensSentRaw, result.tokensSent),
      grouped(result.compressions),
      duration(result.gateMs.p99),
    ]),
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (column === 0 ? bold(text) : column === 4 ? green(text) : text),
    },
  );
  const took = dim(`${counted(first.turns, 'model call')}, ${duration(tookMs)} for all strategies`);
  const taken = results
    .filter(({ removed }) => Object.values(removed).some((count) => count > 0))
    .map(
      (result) =>
        `${bold(result.strategy)}\n${removalTable(removalsOf(result), { tokensBefore: result.tokensRecorded, screen })}`,
    );
  return `${heading}${skippedNote(source, screen)}\n${lines.join('\n')}\n\n${[...taken, `${took}\n`].join('\n')}\n`;
}

/** Several sessions under one strategy, one line each. */
export function sessionsReport(replayed: readonly ReplayedSession[], screen: Screen): string {
  const { dim, green, bold, red } = screen.colors;
  const results = replayed.flatMap(({ source, results: [result] }) => (result ? [{ source, result }] : []));
  const sum = (value: (result: ReplayResult) => number): number =>
    results.reduce((total, { result }) => total + value(result), 0);
  const rows = results.map(({ source, result }) => [
    printable(path.basename(source.name)),
    grouped(result.turns),
    compact(result.tokensPeakRaw),
    compact(result.tokensPeak),
    percent(result.tokensPeak, result.contextLimit),
    saving(result.tokensSentRaw, result.tokensSent),
    grouped(result.compressions),
    duration(result.gateMs.p99),
  ]);
  rows.push([
    counted(results.length, 'session'),
    grouped(sum(({ turns }) => turns)),
    '',
    '',
    '',
    saving(
      sum(({ tokensSentRaw }) => tokensSentRaw),
      sum(({ tokensSent }) => tokensSent),
    ),
    grouped(sum(({ compressions }) => compressions)),
    '',
  ]);
  const lines = tableLines(
    [
      { title: 'session', shrink: 'start' },
      { title: 'calls', align: 'right' },
      { title: 'peak', align: 'right' },
      { title: 'pruned', align: 'right' },
      { title: 'window', align: 'right' },
      { title: 'saved', align: 'right' },
      { title: 'compr.', align: 'right' },
      { title: 'gate p99', align: 'right' },
    ],
    rows,
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, row, column) => (row === results.length ? bold(text) : column === 5 ? green(text) : text),
    },
  );
  const broken = sum(({ pairsBroken }) => pairsBroken);
  const verdict =
    broken === 0 ? green('every call kept its response') : red(`${grouped(broken)} pairs broken: this is a bug`);
  return `${lines.join('\n')}\n\n${verdict} ${dim(`(${results[0]?.result.strategy})`)}\n`;
}
