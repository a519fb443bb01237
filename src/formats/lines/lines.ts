import { isAscii, isUtf8, transcode } from 'node:buffer';
import { isDeepJson, TOO_DEEP } from '../../content/deep-json.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line } from '../contract.ts';

const NEWLINE = 10;
const BYTE_ORDER_MARK = '\ufeff';
const LONG_BYTES = 4 * 1024;
const REASON_CHARACTERS = 120;
const decoder = new TextDecoder('utf-8');

/** The value of one line of a JSONL file. `reason` is short and contains no line number. */
export type ParsedLine =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'blank' }
  | { readonly kind: 'broken'; readonly reason: string };

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  // No `Buffer`: a short one shares its memory, all of which a thread would get.
  const whole = new Uint8Array(parts.reduce((sizeBytes, part) => sizeBytes + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function* split(chunks: Iterable<Uint8Array>): Generator<Line> {
  let open: Uint8Array[] = [];
  for (const chunk of chunks) {
    // A Buffer finds a byte six times as fast as an array.
    const searched = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = searched.indexOf(NEWLINE); end !== -1; end = searched.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end + 1);
      yield open.length === 0 ? piece : joined([...open, piece]);
      open = [];
      start = end + 1;
    }
    if (start < chunk.length) open.push(chunk.subarray(start));
  }
  if (open.length > 0) yield joined(open);
}

/** Lines that are cut on demand; a reader of the whole file uses the chunks. */
class CutLines implements Iterable<Line> {
  readonly chunks: () => Iterable<Uint8Array>;

  constructor(chunks: () => Iterable<Uint8Array>) {
    this.chunks = chunks;
  }

  [Symbol.iterator](): Iterator<Line> {
    return split(this.chunks());
  }
}

/**
 * The lines of a file, cut after byte 10, with their line ends: joined, they are the file, byte for byte. `chunks` is
 * called for each pass, because `write` reads the lines more than once; its chunks must not be overwritten later.
 */
export function linesOf(chunks: () => Iterable<Uint8Array>): Iterable<Line> {
  return new CutLines(chunks);
}

/** The lines of a text, as UTF-8. */
export function linesOfText(text: string): Iterable<Line> {
  const bytes = new TextEncoder().encode(text);
  return linesOf(() => [bytes]);
}

/**
 * Rejects lines that can be read only once, such as those of a generator: a second pass would be empty.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` for an iterator.
 */
export function assertRestartable(lines: Iterable<Line>): void {
  if ((lines[Symbol.iterator]() as unknown) !== lines) return;
  throw new CompressionStrategyError(
    'Expected lines that can be read several times, got an iterator. Pass `linesOf(() => chunks)` or an array.',
    'SESSION_NOT_WRITABLE',
  );
}

/** The text of a line or a whole file, without a byte order mark; bytes that are not UTF-8 become U+FFFD. */
export function decode(bytes: Uint8Array): string {
  if (bytes.length < LONG_BYTES || isAscii(bytes) || !isUtf8(bytes)) return decoder.decode(bytes);
  // For a long text that is not only ASCII, the decoder takes three times as long as this detour by UTF-16.
  const text = transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** All bytes of a file. */
export function joinLines(lines: Iterable<Uint8Array>): Uint8Array {
  return joined([...(lines instanceof CutLines ? lines.chunks() : lines)]);
}

/** The value of a JSON text, or why it is not JSON. */
export function parseJson(text: string): ParsedLine {
  if (text.trim() === '') return { kind: 'blank' };
  if (isDeepJson(text)) return { kind: 'broken', reason: TOO_DEEP };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'broken', reason: `not valid JSON: ${reason.slice(0, REASON_CHARACTERS)}` };
  }
}

/** The value of one line of a JSONL file. */
export function parseLine(line: Line): ParsedLine {
  return parseJson(decode(line));
}
