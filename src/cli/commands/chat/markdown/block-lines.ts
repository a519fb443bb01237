import type { Token, Tokens } from 'marked';
import { padded, widthOf } from '../../../terminal/columns.ts';
import type { LineStyle } from '../outcome-lines.ts';
import { inlineText } from './inline-text.ts';
import { wrappedLines } from './wrapped-lines.ts';

const CODE_INDENT = '  ';
const RULE_COLUMNS = 40;
const NARROWEST_COLUMNS = 10;

const narrower = (style: LineStyle, by: number): LineStyle => ({
  ...style,
  columns: Math.max(NARROWEST_COLUMNS, style.columns - by),
});

/** A line of code. The lines of a patch have the colours of one. */
export function codeLine(line: string, language: string, { colors }: LineStyle): string {
  if (line === '') return '';
  if (language === 'diff' || language === 'patch') {
    if (line.startsWith('+')) return CODE_INDENT + colors.green(line);
    if (line.startsWith('-')) return CODE_INDENT + colors.red(line);
    return CODE_INDENT + (line.startsWith('@@') ? colors.dim(line) : line);
  }
  return CODE_INDENT + colors.cyan(line);
}

/** The line at the start and end of code: nothing but its language with colours, as written without. */
export const fenceLine = (fence: string, language: string, { colors }: LineStyle): string[] => {
  if (!colors.isColorSupported) return [`${fence}${language}`];
  return language === '' ? [] : [colors.dim(`${CODE_INDENT}${language}`)];
};

function codeLines({ text, lang = '', codeBlockStyle }: Tokens.Code, style: LineStyle): string[] {
  const lines = text.split('\n').map((line) => codeLine(line, lang, style));
  if (codeBlockStyle === 'indented') return lines;
  return [...fenceLine('```', lang, style), ...lines, ...fenceLine('```', '', style)];
}

function headingLines({ depth, tokens }: Tokens.Heading, style: LineStyle): string[] {
  const { colors, columns } = style;
  const sign = colors.isColorSupported ? '' : `${'#'.repeat(depth)} `;
  const paint = depth === 1 ? (text: string): string => colors.bold(colors.underline(text)) : colors.bold;
  return wrappedLines(sign + inlineText(tokens, colors, paint), columns);
}

/** Lines with `first` before the first and as many blanks before the others. */
function hanging(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, at) => (at === 0 ? first + line : line === '' ? '' : rest + line));
}

function itemLines(item: Tokens.ListItem, bullet: string, style: LineStyle): string[] {
  const { colors, isPlain } = style;
  const box = item.task ? (isPlain ? (item.checked ? '[x] ' : '[ ] ') : item.checked ? '☑ ' : '☐ ') : '';
  const inner = blockLines(item.tokens, narrower(style, bullet.length));
  const lines = inner.length === 0 ? [''] : [...inner];
  lines[0] = box + lines[0];
  return hanging(lines, colors.dim(bullet), ' '.repeat(bullet.length));
}

/** The items of a list, numbered from its start. */
export function listLines({ ordered, start, items }: Tokens.List, style: LineStyle): string[] {
  const from = start === '' ? 1 : start;
  return items.flatMap((item, at) => itemLines(item, ordered ? `${from + at}. ` : '• ', style));
}

function quoteLines({ tokens }: Tokens.Blockquote, style: LineStyle): string[] {
  const bar = style.colors.dim('│ ');
  return blockLines(tokens, narrower(style, 2)).map((line) => bar + line);
}

const SEPARATOR_COLUMNS = 3;
const NARROWEST_CELL_COLUMNS = 4;

/** The widths of the columns: as wide as their text, or less where it is too much, the widest first. */
function fittedWidths(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= NARROWEST_CELL_COLUMNS) break;
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
function tableLines(table: Tokens.Table, { colors, columns }: LineStyle): string[] {
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

/** One block of Markdown as lines for a terminal, by its type; any other one as it is written. */
const LINES: Readonly<Record<string, (token: Tokens.Generic, style: LineStyle) => string[]>> = {
  heading: (token, style) => headingLines(token as Tokens.Heading, style),
  code: (token, style) => codeLines(token as Tokens.Code, style),
  list: (token, style) => listLines(token as Tokens.List, style),
  table: (token, style) => tableLines(token as Tokens.Table, style),
  blockquote: (token, style) => quoteLines(token as Tokens.Blockquote, style),
  hr: (_, { colors, columns }) => [colors.dim('─'.repeat(Math.min(RULE_COLUMNS, columns)))],
  paragraph: ({ tokens }, { colors, columns }) => wrappedLines(inlineText(tokens, colors), columns),
  text: (token, { colors, columns }) => wrappedLines(inlineText(token.tokens ?? [token], colors), columns),
  checkbox: () => [],
};

/** Blocks of Markdown as lines for a terminal, with an empty line where the text has one or more. */
export function blockLines(tokens: readonly Token[], style: LineStyle): string[] {
  let before = '\n';
  return tokens.flatMap((token) => {
    const isGap = token.type === 'space' && /\n[ \t]*\n[ \t]*$/.test(before + token.raw);
    before = token.raw;
    if (token.type === 'space') return isGap ? [''] : [];
    return LINES[token.type]?.(token, style) ?? wrappedLines(token.raw.trimEnd(), style.columns);
  });
}
