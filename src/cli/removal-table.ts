import { REMOVAL_RULES, type RemovalRule, type Removals } from '../replay/removal.ts';
import { bar } from './bar.ts';
import { grouped, percent } from './figures.ts';
import { tableLines } from './table.ts';
import type { Screen } from './terminal.ts';

/** What each rule does, and the unit it counts in: in words for a person. */
const RULES: Readonly<Record<RemovalRule, { readonly what: string; readonly one: string; readonly many: string }>> = {
  readWritePairs: { what: 'reads of files written later', one: 'read', many: 'reads' },
  fileInclusions: { what: 'attached files attached again', one: 'file', many: 'files' },
  recency: { what: 'results beyond the newest of a tool', one: 'result', many: 'results' },
  summarised: { what: 'results shortened', one: 'result', many: 'results' },
  dropped: { what: 'oldest entries dropped', one: 'entry', many: 'entries' },
};

const BAR_COLUMNS = 12;

/** One line for each rule that took something away, with what it saved; a sentence when none did. */
export function removalTable(
  removals: Removals,
  { tokensBefore, screen }: { tokensBefore: number; screen: Screen },
): string {
  const { dim, green, bold } = screen.colors;
  const acted = REMOVAL_RULES.filter((rule) => removals[rule].count > 0);
  if (acted.length === 0) return `${dim('Nothing was taken away: there is nothing stale or repeated.')}\n`;
  const largest = Math.max(1, ...acted.map((rule) => removals[rule].tokens));
  const lines = tableLines(
    [
      { title: 'taken away', shrink: 'end' },
      { title: '', align: 'right' },
      { title: '' },
      { title: 'tokens', align: 'right' },
      { title: '', align: 'right' },
      { title: '' },
    ],
    acted.map((rule) => {
      const { count, tokens } = removals[rule];
      const { what, one, many } = RULES[rule];
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
