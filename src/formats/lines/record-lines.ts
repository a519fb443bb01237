import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { Line } from '../contract.ts';
import { joinLines, type ParsedLine, parseLine } from './lines.ts';

const NEWLINE = 10;
const LINE_END = new Uint8Array([NEWLINE]);
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
/** The signs `:,[`, before an object that is a part of another. */
const INNER: ReadonlySet<number | undefined> = new Set([58, 44, 91]);

/** A record in a line: its first byte, and the one after its last. */
type Span = readonly [start: number, end: number];

// A crash leaves NUL bytes where the text was not yet written.
const isBlank = (byte: number | undefined): boolean => byte !== undefined && byte <= SPACE;

/** Where the object ends that starts at `start`; without an end, whether its text stops inside a string. */
function objectFrom(bytes: Line, start: number): { readonly end?: number; readonly isInString: boolean } {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return { end: at + 1, isInString };
  }
  return { isInString };
}

function isEscaped(bytes: Line, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** Where the object starts that ends at `end`; not before `from`. */
function objectUpTo(bytes: Line, end: number, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = end - 1; at >= from; at--) {
    const byte = bytes[at];
    if (byte === QUOTE) isInString = isEscaped(bytes, at) ? isInString : !isInString;
    else if (isInString) continue;
    else if (byte === CLOSE) depth++;
    else if (depth === 0) return undefined;
    else if (byte === OPEN && --depth === 0) return at;
  }
  return undefined;
}

function isWhole(bytes: Line): boolean {
  const parsed = parseLine(bytes);
  return parsed.kind === 'json' && isRecord(parsed.value);
}

/** True if an object directly after `cut` is a part of the record that is cut. */
const continues = (cut: Line): boolean => INNER.has(cut.at(-1)) && !(cut[0] === OPEN && objectFrom(cut, 0).isInString);

/** The whole records of a line: those at its start, and those at its end, after one that is cut. */
function recordsIn(bytes: Line): Span[] {
  let end = bytes.length;
  let start = 0;
  const trim = (): void => {
    while (start < end && isBlank(bytes[start])) start++;
    while (start < end && isBlank(bytes[end - 1])) end--;
  };
  const first: Span[] = [];
  for (trim(); bytes[start] === OPEN; trim()) {
    const { end: after } = objectFrom(bytes, start);
    if (after === undefined || !isWhole(bytes.subarray(start, after))) break;
    first.push([start, after]);
    start = after;
  }
  const last: Span[] = [];
  for (; bytes[end - 1] === CLOSE; trim()) {
    const before = objectUpTo(bytes, end, start);
    if (before === undefined || !isWhole(bytes.subarray(before, end))) break;
    last.unshift([before, end]);
    end = before;
  }
  // Between them is what is cut.
  if (last.length > 0 && continues(bytes.subarray(start, end))) last.shift();
  return [...first, ...last];
}

/** A damaged line as several: one for each whole record in it, and one for each rest that is no record. */
function cutDamaged(bytes: Line): Line[] {
  const records = recordsIn(bytes);
  if (records.length === 0) return [bytes];
  const spans: Span[] = [];
  let from = 0;
  for (const [start, end] of [...records, [bytes.length, bytes.length] as const]) {
    if (!bytes.subarray(from, start).every(isBlank)) spans.push([from, start]);
    if (start < end) spans.push([start, end]);
    from = end;
  }
  const hasEnd = bytes.at(-1) === NEWLINE;
  return spans.map(([start, end], index) =>
    index < spans.length - 1 || hasEnd ? joinLines([bytes.subarray(start, end), LINE_END]) : bytes.subarray(start, end),
  );
}

/** A line with at most one record, and its value. */
export interface RecordLine {
  readonly bytes: Line;
  readonly parsed: ParsedLine;
}

const asRecordLine = (bytes: Line): RecordLine => ({ bytes, parsed: parseLine(bytes) });

/**
 * The lines of a JSONL file, one for each record. An agent that stops in the middle of a write leaves a line with two
 * records, with a whole one after one that is cut, or with NUL bytes: it is cut into several, without the NUL bytes. Linear.
 * Source: https://github.com/QwenLM/qwen-code/pull/3656, https://github.com/github/copilot-cli/issues/4098,
 * https://github.com/anthropics/claude-code/issues/49876
 */
export function* recordLines(lines: Iterable<Line>): Generator<RecordLine> {
  for (const bytes of lines) {
    const line = asRecordLine(bytes);
    if (line.parsed.kind === 'broken') yield* cutDamaged(bytes).map(asRecordLine);
    else yield line;
  }
}

/** The records in a line, in order. Usually one; none in a line that is still written. Linear. */
export function recordsOf(line: Line): readonly Fields[] {
  const records: Fields[] = [];
  for (const { parsed } of recordLines([line]))
    if (parsed.kind === 'json' && isRecord(parsed.value)) records.push(parsed.value);
  return records;
}
