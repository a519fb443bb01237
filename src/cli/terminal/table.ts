import { cutEnd, cutStart, padded, widthOf } from './text-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Where text is cut if the table is too wide. The widest of these columns is cut first. */
  readonly shrink?: 'start' | 'end';
}

export interface TableStyle {
  /** The widest line, in columns of the terminal. */
  readonly columns: number;
  /** Colours the line of titles. */
  readonly heading?: (text: string) => string;
  /** Colours a cell that is already cut and padded. `row` counts from 0 without the titles. */
  readonly cell?: (text: string, row: number, column: number) => string;
}

const GAP = 2;
/** Of a column that was cut. */
const MIN_COLUMNS = 4;

/** Columns of numbers. */
export const rightAligned = (...titles: readonly string[]): Column[] =>
  titles.map((title) => ({ title, align: 'right' }));

/**
 * The lines of a table, aligned by the width of characters on a terminal. If a column can shrink, no line is longer than
 * `style.columns`: where that is too narrow, the last columns are left out.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: TableStyle,
): string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const least = columns.map(({ shrink, title }, index) =>
    shrink === undefined ? widths[index]! : Math.min(widths[index]!, Math.max(MIN_COLUMNS, widthOf(title))),
  );
  const canShrink = columns.some(({ shrink }) => shrink !== undefined);
  let fitting = columns.length;
  const totalOf = (each: readonly number[]): number =>
    each.slice(0, fitting).reduce((sum, width) => sum + GAP + width, -GAP);
  while (canShrink && fitting > 1 && totalOf(least) > style.columns) fitting--;
  for (let over = totalOf(widths) - style.columns; over > 0; over--) {
    const shrinkable = widths.slice(0, fitting).map((width, index) => (width > least[index]! ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.indexOf(widest)]!--;
  }
  const line = (cells: readonly string[], paint: (text: string, column: number) => string): string =>
    columns
      .slice(0, fitting)
      .map(({ align, shrink }, index) => {
        const width = widths[index]!;
        const cell = cells[index] ?? '';
        const cut = shrink === 'start' ? cutStart(cell, width) : shrink === 'end' ? cutEnd(cell, width) : cell;
        return paint(padded(cut, width, align), index);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const heading = style.heading ?? ((text: string) => text);
  return [
    line(
      columns.map(({ title }) => title),
      heading,
    ),
    ...rows.map((cells, row) => line(cells, (text, column) => style.cell?.(text, row, column) ?? text)),
  ];
}
