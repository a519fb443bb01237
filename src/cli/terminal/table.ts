import { cutEnd, cutStart, padded, widthOf } from './text-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Where text is cut if the table is too wide. At most one column of a table shrinks. */
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
  const shrinking = columns.findIndex(({ shrink }) => shrink !== undefined);
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1);
  if (shrinking !== -1 && total > style.columns) {
    const least = Math.min(widths[shrinking]!, Math.max(4, widthOf(columns[shrinking]!.title)));
    widths[shrinking] = Math.max(least, widths[shrinking]! - (total - style.columns));
  }
  let fitting = columns.length;
  const widthOfFirst = (count: number): number =>
    widths.slice(0, count).reduce((sum, width) => sum + GAP + width, -GAP);
  while (shrinking !== -1 && fitting > shrinking + 1 && widthOfFirst(fitting) > style.columns) fitting--;
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
