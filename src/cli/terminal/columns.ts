import stringWidth from 'string-width';

/** Letters, digits and signs of our own sentences: all are one column wide. For others the library first compiles large tables. */
const NARROW = /^[\x20-\x7e·×–—…−]*$/;

const PART_UNITS = 1_000;

/** Parts of a text, which cut no pair of units: a segmenter copies the whole text at each of its steps. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += parts.at(-1)!.length) {
    const isInPair = text.codePointAt(at + PART_UNITS - 1)! > 0xffff;
    parts.push(text.slice(at, at + PART_UNITS + (isInPair ? 1 : 0)));
  }
  return parts;
}

/** Columns that a text takes on a terminal: 2 for wide characters, 0 for combining characters and colours. Linear. */
export const widthOf = (text: string): number =>
  NARROW.test(text) ? text.length : partsOf(text).reduce((sum, part) => sum + stringWidth(part), 0);

const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

function* charactersOf(text: string): Generator<string, void, void> {
  for (const part of partsOf(text)) for (const { segment } of SEGMENTS.segment(part)) yield segment;
}

function* charactersFromEnd(text: string): Generator<string, void, void> {
  for (const part of partsOf(text).toReversed()) yield* [...charactersOf(part)].reverse();
}

/** `text` in at most `columns` columns, with `…` in place of its end. Plain text only, no colours. */
export function cutEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of charactersOf(text)) {
    width += widthOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** `text` in at most `columns` columns, with `…` in place of its start: the name of a file is at its end. */
export function cutStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of charactersFromEnd(text)) {
    width += widthOf(character);
    if (width > columns - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/** `text` padded to `columns` columns; longer text is unchanged. */
export function padded(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

/** A blank where a line may break: not between a number and its unit. */
const BREAK = /(?<!\d) | (?!(?:h|min|s|ms|[kMG]?B)(?![\p{L}\d]))/u;

/** `text` in lines of at most `columns` columns, broken at blanks. A longer word gets a line of its own. */
export function wrapped(text: string, columns: number): string {
  const lines: string[] = [];
  for (const word of text.split(BREAK)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** `text` in lines of at most `columns` columns, the first one after `start` and the others below its text. */
export function hanging(start: string, text: string, columns: number): string {
  const indent = ' '.repeat(widthOf(start));
  return start + wrapped(text, columns - indent.length).replaceAll('\n', `\n${indent}`);
}

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
  const widths = columns.map(({ title, shrink }, index) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), 0);
    return Math.max(widthOf(title), shrink === undefined ? widest : Math.min(widest, style.columns));
  });
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
