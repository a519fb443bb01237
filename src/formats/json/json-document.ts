import { counted } from '../../content/counted.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line } from '../contract.ts';
import { HEAD_UNITS, wholeHead } from '../detection.ts';
import { decode, joinLines, parseJson } from '../lines/lines.ts';

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
