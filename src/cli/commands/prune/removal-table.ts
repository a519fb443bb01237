import type { UnknownTool } from '../../../content/tools/unknown-tools.ts';
import type { BASIS } from '../../../report/basis-words.ts';
import { counted, grouped, percent } from '../../../report/figures.ts';
import { COUNTER_ROWS, COUNTERS } from '../../../strategies/reasons/edit-reason.ts';
import type { Removals } from '../../../strategies/removals.ts';
import { unknownToolsText } from '../../options/tools-in-force.ts';
import { bar } from '../../terminal/bar.ts';
import { rightAligned, tableLines, wrapped } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';

const BAR_COLUMNS = 12;

/** `81,000 → 27,000 tokens in the context, 66.7% removed`, or `removable now`. */
export function changeLine(
  before: number,
  after: number,
  { screen: { colors }, what }: { readonly screen: Screen; readonly what: 'removed' | typeof BASIS.now },
): string {
  const smaller = colors.green(`${percent(before - after, before)} ${what}`);
  // A marker may be longer than a short result that it replaces.
  const change =
    after < before ? smaller : after > before ? `${counted(after - before, 'token')} larger` : 'as large as before';
  return `${colors.bold(`${grouped(before)} → ${counted(after, 'token')}`)} in the context, ${change}`;
}

/** One line for each rule that removed something, with the tokens it saved; a sentence if no rule did. */
export function removalTable(
  removals: Removals,
  { tokensBefore, unknown, screen }: { tokensBefore: number; unknown: readonly UnknownTool[]; screen: Screen },
): string {
  const { dim, green, bold } = screen.colors;
  const acted = COUNTERS.filter((rule) => removals[rule].count > 0);
  if (acted.length === 0) {
    const unsure = unknownToolsText(unknown);
    const why =
      unsure === '' ? 'Nothing was removed: nothing is old, stale or repeated.' : `Nothing was removed. ${unsure}.`;
    return `${dim(wrapped(why, screen.columns))}\n`;
  }
  const largest = Math.max(1, ...acted.map((rule) => removals[rule].tokens));
  const lines = tableLines(
    [
      { title: 'removed', shrink: 'end' },
      { title: '', align: 'right' },
      { title: '' },
      ...rightAligned('tokens', ''),
      ...(screen.isPlain ? [] : [{ title: '' }]),
    ],
    acted.map((rule) => {
      const { count, tokens } = removals[rule];
      const { what, one, many } = COUNTER_ROWS[rule];
      return [
        what,
        grouped(count),
        count === 1 ? one : many,
        grouped(tokens),
        percent(tokens, tokensBefore),
        bar(tokens / largest, BAR_COLUMNS),
      ];
    }),
    {
      columns: screen.columns,
      heading: dim,
      cell: (text, _row, column) => (column === 5 ? green(text) : column === 3 ? bold(text) : text),
    },
  );
  return `${lines.join('\n')}\n`;
}
