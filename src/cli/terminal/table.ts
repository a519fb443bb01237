import { cutEnd, cutStart, padded, widthOf, wrapped } from './text-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Where text is cut if the table is too wide. The widest of these columns is cut first. */
  readonly shrink?: 'start' | 'end';
  /** How narrow it may become where it shrinks; default: its title. */
  readonly least?: number;
  /**
   * If the table is too wide, columns with a higher number are left out first. Among equal numbers, the last column is left out first.
   * Default: 0.
   */
  readonly rank?: number;
}

interface TableStyle {
  /** The widest line, in columns of the terminal. */
  readonly columns: number;
  /** Colours the line of titles. */
  readonly heading?: (text: string) => string;
  /** Colours a cell that is already cut and padded. `row` counts from 0 without the titles. */
  readonly cell?: (text: string, row: number, column: number) => string;
}

const GAP = 2;
/** The least width of a column that was cut. */
const MIN_COLUMNS = 4;

/** Columns of numbers. */
export const rightAligned = (...titles: readonly string[]): Column[] =>
  titles.map((title) => ({ title, align: 'right' }));

/** Columns that are left out before those of a lower rank where the table is too wide. */
export const ranked = (rank: number, columns: readonly Column[]): Column[] =>
  columns.map((column) => ({ ...column, rank }));

/**
 * The lines of a table, aligned by the width of characters on a terminal. If a column can shrink, no line is longer than
 * `style.columns`: where that is too narrow, columns are left out, and a last line names them. The first column is never left out.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: TableStyle,
): string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const leastOf = ({ shrink, title, least = widthOf(title) }: Column, index: number): number =>
    shrink === undefined ? widths[index]! : Math.min(widths[index]!, Math.max(MIN_COLUMNS, least));
  const least = columns.map(leastOf);
  const canShrink = columns.some(({ shrink }) => shrink !== undefined);
  const fitting = new Set(columns.keys());
  const totalOf = (each: readonly number[]): number => [...fitting].reduce((sum, at) => sum + GAP + each[at]!, -GAP);
  while (canShrink && fitting.size > 1 && totalOf(least) > style.columns) fitting.delete(leastNeeded(columns, fitting));
  for (let over = totalOf(widths) - style.columns; over > 0; over--) {
    const shrinkable = widths.map((width, index) => (fitting.has(index) && width > least[index]! ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.indexOf(widest)]!--;
  }
  const line = (cells: readonly string[], paint: (text: string, column: number) => string): string =>
    [...fitting]
      .map((index) => {
        const { align, shrink } = columns[index]!;
        const width = widths[index]!;
        const cell = cells[index] ?? '';
        const cut = shrink === 'start' ? cutStart(cell, width) : shrink === 'end' ? cutEnd(cell, width) : cell;
        return paint(padded(cut, width, align), index);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const heading = style.heading ?? ((text: string) => text);
  const leftOut = columns.filter((_, index) => !fitting.has(index)).map(({ title }) => title);
  return [
    line(
      columns.map(({ title }) => title),
      heading,
    ),
    ...rows.map((cells, row) => line(cells, (text, column) => style.cell?.(text, row, column) ?? text)),
    ...(leftOut.length === 0
      ? []
      : wrapped(`Too narrow for: ${leftOut.join(', ')}.`, style.columns)
          .split('\n')
          .map(heading)),
  ];
}

/** The column that is left out first. */
function leastNeeded(columns: readonly Column[], fitting: ReadonlySet<number>): number {
  const rankOf = (at: number): number => columns[at]!.rank ?? 0;
  return [...fitting].reduce((found, at) => (at > 0 && rankOf(at) >= rankOf(found) ? at : found));
}
