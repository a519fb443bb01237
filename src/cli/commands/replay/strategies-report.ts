import { type ReplayResult, removalsOf } from '../../../replay/result.ts';
import { NO_STRATEGY } from '../../../replay/strategy-layers.ts';
import { compact, counted, duration, fullness, grouped } from '../../../report/figures.ts';
import { COMPRESSION_STRATEGIES } from '../../../strategies/contract.ts';
import { copiedNote } from '../../options/copies/copied-note.ts';
import { sessionHeading } from '../../options/session-summary.ts';
import { unknownToolsText } from '../../options/tools-in-force.ts';
import { rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { removalTable } from '../prune/removal-table.ts';
import { decisionLine } from './decision-line.ts';
import type { ReplayedSession } from './replayed-session.ts';
import { saving } from './saving.ts';

/** Why rows are equal to that of no pruning: a line each. */
const idleLines = (results: readonly ReplayResult[]): string[] =>
  results
    .filter(({ compressions, tokensSent, tokensSentRaw }) => compressions === 0 && tokensSent === tokensSentRaw)
    .filter(({ strategy }) => strategy !== NO_STRATEGY)
    .map((result) => {
      const { strategy, tokensPeakRaw, contextLimit } = result;
      if (strategy === 'high-density')
        return `${strategy} removed nothing: ${decisionLine(result) ?? 'no text was stale'}`;
      return `${strategy} removed nothing: it waits until the window is nearly full (--threshold), and the fullest call filled ${fullness(tokensPeakRaw, contextLimit)} of it`;
    });

/** Compares several strategies over one session. */
export function strategiesReport({ source, results, unknownTools, tookMs }: ReplayedSession, screen: Screen): string {
  const [first] = results;
  if (first === undefined) return '';
  const { bold, dim, green } = screen.colors;
  const lines = tableLines(
    [{ title: 'strategy' }, ...rightAligned('fullest', 'window', 'all calls', 'saved', 'compressions', 'gate, 99%')],
    results.map((result) => [
      result.strategy,
      grouped(result.tokensPeak),
      fullness(result.tokensPeak, result.contextLimit),
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
  const copies = copiedNote({ copiedCalls: first.turnsCopied }).map((text) => `${wrapped(text, screen.columns)}\n`);
  const unplayed = COMPRESSION_STRATEGIES.filter((name) => !results.some(({ strategy }) => strategy === name));
  const asking =
    unplayed.length === 0
      ? []
      : [
          `${wrapped(`${unplayed.join(' and ')} ask a model for summaries: --provider plays them too.`, screen.columns)}\n`,
        ];
  const idle = idleLines(results).map((line) => `${wrapped(line, screen.columns)}\n`);
  const unsure = unknownToolsText(unknownTools);
  const removals = results
    .filter(({ removed }) => Object.values(removed).some((count) => count > 0))
    .map(
      (result) =>
        `${bold(result.strategy)}\n${removalTable(removalsOf(result), { tokensBefore: result.tokensRecorded, unknown: [], screen })}`,
    );
  return `${sessionHeading(source, { ...first, screen })}\n${lines.join('\n')}\n\n${[...removals, ...(unsure === '' ? [] : [`${dim(unsure)}\n`]), ...copies, ...idle, ...asking.map(dim), `${took}\n`].join('\n')}\n`;
}
