import path from 'node:path';
import type { ReplayResult } from '../../../replay/result.ts';
import { contradictedNote } from '../../../report/contradicted-calls.ts';
import { compact, counted, duration, fullness, grouped } from '../../../report/figures.ts';
import { sumOfWorths, worthLine, worthOf } from '../../../report/worth-words.ts';
import { copiedNote } from '../../options/copies/copied-note.ts';
import { rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';
import { droppingLine } from './decision-line.ts';
import type { ReplayedSession } from './replayed-session.ts';
import { saving } from './saving.ts';

/** Several sessions under one strategy, one line each. */
export function sessionsReport(replayed: readonly ReplayedSession[], screen: Screen): string {
  const { dim, green, bold, red } = screen.colors;
  const results = replayed.flatMap(({ source, results: [result] }) => (result ? [{ source, result }] : []));
  const sum = (value: (result: ReplayResult) => number): number =>
    results.reduce((total, { result }) => total + value(result), 0);
  const rows = results.map(({ source, result }) => [
    printable(path.basename(source.name)),
    grouped(result.turns - result.turnsCopied),
    compact(result.tokensPeakRaw),
    compact(result.tokensPeak),
    fullness(result.tokensPeak, result.contextLimit),
    saving(result.tokensSentRaw, result.tokensSent),
    grouped(result.compressions),
    duration(result.gateMs.p99),
  ]);
  rows.push([
    counted(results.length, 'session'),
    grouped(sum(({ turns, turnsCopied }) => turns - turnsCopied)),
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
      ...rightAligned('calls', 'peak', 'pruned', 'window', 'saved', 'compressions', 'gate, 99%'),
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
    broken === 0 ? green('each call still has its result') : red(`${counted(broken, 'pair')} broken: this is a bug`);
  const worths = replayed.flatMap(({ results: [result], worths: [worth] }) =>
    result && worth ? [worthOf(result, worth)] : [],
  );
  const headline = worths.length === 0 ? '' : `${bold(wrapped(worthLine(sumOfWorths(worths)), screen.columns))}\n`;
  const dropping = droppingLine(replayed);
  const offer = dropping === undefined ? '' : `${wrapped(dropping, screen.columns)}\n`;
  const copies = copiedNote({ copiedCalls: sum(({ turnsCopied }) => turnsCopied) }).map(
    (text) => `${wrapped(text, screen.columns)}\n`,
  );
  const contradicted = contradictedNote(
    results.flatMap(({ source, result }) =>
      result.contradicted.map((call) => ({ ...call, session: printable(path.basename(source.name)) })),
    ),
  ).map((text) => `${wrapped(text, screen.columns)}\n`);
  return `${lines.join('\n')}\n\n${headline}${offer}${copies.join('')}${contradicted.join('')}${verdict} ${dim(`(${results[0]?.result.strategy})`)}\n`;
}
