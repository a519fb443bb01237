import { stripVTControlCharacters } from 'node:util';
import type { ChatEvent } from '../../../chat/chat-event.ts';
import type { ToolCallBlock } from '../../../content/content.ts';
import { keyParameter } from '../../../content/files/key-parameter.ts';
import { oneLine } from '../../../content/lines/one-line.ts';
import { llxprt } from '../../../content/vocabularies/llxprt.ts';
import { counted, duration } from '../../../report/figures.ts';
import { cutEnd, widthOf, wrapped } from '../../terminal/columns.ts';
import { printable } from '../../terminal/terminal.ts';
import type { LineStyle } from './outcome-lines.ts';

type CallResult = Extract<ChatEvent, { kind: 'result' }>;

/** The name and key parameter of a call: `read_file src/a.ts`. */
export function callTitle(call: ToolCallBlock): string {
  const key = keyParameter(call, llxprt);
  return printable(key === undefined ? call.name : `${call.name} ${key}`);
}

const MIN_SHOWN_MS = 1_000;
const HEAD_CHARS = 200;
const MAX_CHANGED_LINES = 12;
const MAX_PRINTED_LINES = 5;
const INDENT = '  ';

/** The lines that a command printed, as a terminal shows them: a line that is drawn again counts once. */
export const printedLines = (output: string): string[] =>
  stripVTControlCharacters(output)
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) =>
      printable(
        line
          .replace(/\r$/, '')
          .replace(/^[\s\S]*\r/, '')
          .replaceAll('\t', '  '),
      ),
    );

/** A line of a patch in its colour, at most `columns` long. */
export function patchLine(line: string, { colors, columns }: Pick<LineStyle, 'colors' | 'columns'>): string {
  const shown = cutEnd(printable(line.replaceAll('\t', '  ')), columns);
  if (line.startsWith('+')) return colors.green(shown);
  if (line.startsWith('-')) return colors.red(shown);
  return line.startsWith(' ') ? shown : colors.dim(shown);
}

/** A patch with its lines in full. */
export const wholePatch = (lines: readonly string[], colors: LineStyle['colors']): string[] =>
  lines.map((line) => patchLine(line, { colors, columns: Number.POSITIVE_INFINITY }));

const changesOf = (detail: readonly string[]): string => {
  const startingWith = (sign: string): number => detail.filter((line) => line.startsWith(sign)).length;
  return `+${startingWith('+')} −${startingWith('-')}`;
};

/** The outcome in a few words, and the text behind it. A refusal is told to the model in more words. */
function outcomeOf({ call, response, ending, detail }: CallResult): { readonly words: string; readonly text: string } {
  const { result, error = '' } = response;
  if (ending === 'declined' || ending === 'cancelled') return { words: ending, text: '' };
  if (ending === 'failed') {
    const [head = '', ...rest] = error.split('\n');
    return { words: printable(oneLine(head, HEAD_CHARS)), text: rest.join('\n').trim() };
  }
  if (detail.length > 0) return { words: changesOf(detail), text: '' };
  const text = typeof result === 'string' ? result : '';
  const words = counted(text === '' ? 0 : text.trimEnd().split('\n').length, 'line');
  return { words, text: call.name === 'run_shell_command' ? text : '' };
}

/** A call and its outcome on a terminal. */
interface CallLines {
  /** The call in one line; two if the words do not fit. */
  readonly head: readonly string[];
  /** The changes of an edit, or what a command printed last, cut to a few lines. */
  readonly detail: readonly string[];
  /** All of it; undefined if nothing was cut. */
  readonly whole: readonly string[] | undefined;
}

function headLines(title: string, words: string, columns: number): string[] {
  const line = `${title} — ${words}`;
  if (widthOf(line) <= columns) return [line];
  return [
    cutEnd(title, columns),
    ...wrapped(words, columns - INDENT.length)
      .split('\n')
      .map((part) => INDENT + cutEnd(part, columns - INDENT.length)),
  ];
}

/** The lines of a call that ended: one for most, the changes of an edit, the last lines of a command. */
export function callLines(event: CallResult, { colors, columns }: LineStyle): CallLines {
  const { call, ending, detail, tookMs } = event;
  const { words, text } = outcomeOf(event);
  const took = tookMs >= MIN_SHOWN_MS ? `, ${duration(tookMs)}` : '';
  const isDone = ending === 'done';
  const paint = isDone ? colors.dim : ending === 'failed' ? colors.red : colors.yellow;
  const head = headLines(`${isDone ? '✓' : '✗'} ${callTitle(call)}`, words + took, columns).map(paint);
  const room = { colors, columns: columns - INDENT.length };
  const changes = detail.slice(0, MAX_CHANGED_LINES).map((line) => INDENT + patchLine(line, room));
  const printed = text === '' ? [] : printedLines(text);
  const shown = [
    ...changes,
    ...printed.slice(-MAX_PRINTED_LINES).map((line) => INDENT + colors.dim(cutEnd(line, room.columns))),
  ];
  const more = detail.length + printed.length - shown.length;
  if (more <= 0) return { head, detail: shown, whole: undefined };
  const hint = colors.dim(`${INDENT}… ${counted(more, 'more line')}, Ctrl-O shows all`);
  return {
    head,
    detail: changes.length > 0 ? [...shown, hint] : [hint, ...shown],
    whole: [...head, ...[...wholePatch(detail, colors), ...printed].map((line) => INDENT + line)],
  };
}
