import type { Tokens } from 'marked';
import { padded, widthOf } from '../../../terminal/text-width.ts';
import type { LineStyle } from '../outcome-lines.ts';
import { inlineText } from './inline-text.ts';
import { wrappedLines } from './wrapped-lines.ts';

const SEPARATOR_COLUMNS = 3;
const NARROWEST_COLUMNS = 4;

/** The widths of the columns: as wide as their text, or less where it is too much, the widest first. */
function fittedWidths(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= NARROWEST_COLUMNS) break;
    widths[widest]!--;
    excess--;
  }
  return widths;
}

function alignedCell(text: string, width: number, align: 'left' | 'center' | 'right' | null): string {
  if (align !== 'center') return padded(text, width, align ?? 'left');
  return padded(' '.repeat(Math.max(0, Math.floor((width - widthOf(text)) / 2))) + text, width);
}

/** A table of Markdown with its cells wrapped to fit into the columns of the style. */
export function tableLines(table: Tokens.Table, { colors, columns }: LineStyle): string[] {
  const head = table.header.map(({ tokens }) => inlineText(tokens, colors, colors.bold));
  const rows = table.rows.map((row) => row.map(({ tokens }) => inlineText(tokens, colors)));
  const natural = head.map((title, at) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? '')), 1));
  const widths = fittedWidths(natural, columns - SEPARATOR_COLUMNS * (natural.length - 1));
  const rowLines = (cells: readonly string[]): string[] => {
    const wrapped = widths.map((width, at) => wrappedLines(cells[at] ?? '', width));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      widths
        .map((width, at) => alignedCell(wrapped[at]![line] ?? '', width, table.align[at] ?? null))
        .join(colors.dim(' │ '))
        .trimEnd(),
    );
  };
  const rule = colors.dim(widths.map((width) => '─'.repeat(width)).join('─┼─'));
  return [...rowLines(head), rule, ...rows.flatMap(rowLines)];
}
