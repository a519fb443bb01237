import { counted } from '../../content/counted.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line } from '../contract.ts';
import { decode, joinLines, linesOfText, parseJson } from '../lines/lines.ts';
import { recordLines } from '../lines/record-lines.ts';
import { cutJson, wholeJson } from './cut-json.ts';

/** The length of a file's start that is enough to detect its format. */
const HEAD_UNITS = 256 * 1024;
/** The length of a cut line that is enough to detect its format, after whole lines. */
const CUT_LINE_UNITS = 16 * 1024;

/** Caches the latest result of `read`: all formats test the same head in turn. */
function keepingLatest<Value>(read: (head: string) => Value): (head: string) => Value {
  let latest: { readonly head: string; readonly value: Value } | undefined;
  return (head) => {
    if (latest?.head !== head) latest = { head, value: read(head) };
    return latest.value;
  };
}

/** The object or list of a head; `undefined` if it is cut, not JSON, or more text follows. */
export const wholeHead: (head: string) => unknown = keepingLatest(wholeJson);

/** The value of a JSON text that may end anywhere, with open brackets closed; `undefined` if it is not JSON. */
export const headDocument: (head: string) => unknown = keepingLatest(
  (head) => wholeHead(head) ?? wholeJson(head.slice(0, head.indexOf('\n') + 1)) ?? cutJson(head),
);

/** The records of a damaged line. A line of prose or of an indented document has none, and needs no search. */
const recordsIn = (line: string): unknown[] =>
  line.includes('{"')
    ? [...recordLines(linesOfText(line))].flatMap(({ parsed }) => (parsed.kind === 'json' ? [parsed.value] : []))
    : [];

/**
 * The objects and lists in the lines of a JSONL text that may end anywhere; of a cut last line, as much as is there.
 * Lines that are not JSON are omitted.
 */
export const headLines: (head: string) => readonly unknown[] = keepingLatest((head) => {
  const whole = wholeHead(head);
  if (whole !== undefined) return head.trim().includes('\n') ? [] : [whole];
  const lines = head.split('\n');
  const last = lines.pop() ?? '';
  const values = lines.flatMap((line) => {
    const value = wholeJson(line);
    return value === undefined ? recordsIn(line) : [value];
  });
  const cut = values.length === 0 ? last : last.slice(0, CUT_LINE_UNITS);
  const rest = cut === head ? headDocument(head) : cutJson(cut);
  return rest === undefined ? values : [...values, rest];
});

/** A file that is one JSON value: its bytes and the value. */
interface JsonDocument {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/**
 * The JSON value of a whole file, read into memory.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` with the position at which the JSON ends or breaks.
 */
export function readDocument(lines: Iterable<Line>, title: string): JsonDocument {
  const bytes = joinLines(lines);
  const text = decode(bytes);
  // A document of at most the length of a head was parsed for the detection of its format.
  const head = text.length <= HEAD_UNITS ? wholeHead(text) : undefined;
  if (head !== undefined) return { bytes, value: head };
  const parsed = parseJson(text);
  if (parsed.kind === 'json') return { bytes, value: parsed.value };
  const got =
    parsed.kind === 'blank'
      ? 'an empty file'
      : `${counted(bytes.length, 'byte')} in ${counted(text.split('\n').length, 'line')}, no JSON (${parsed.reason})`;
  throw new CompressionStrategyError(
    `Expected ${title} as one JSON document, got ${got}. Is this the whole file?`,
    'SESSION_UNREADABLE',
  );
}

/** The error for a document that is JSON without messages, or whatever else it must have. */
export function noMessages(title: string, { length }: Uint8Array, without = ' without any'): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected ${title} with at least one message, got ${counted(length, 'byte')} of JSON${without}. Force another format with --format <name>.`,
    'SESSION_UNREADABLE',
  );
}
