import { counted } from '../../content/counted.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line, SkippedLine } from '../contract.ts';
import { recordLines } from './record-lines.ts';

/** The objects in the lines of a JSONL file, each with its number among `recordLines`, from 1. */
export class ObjectLines implements Iterable<{ readonly line: number; readonly value: Fields }> {
  readonly #lines: Iterable<Line>;
  /** Lines that are broken or no object. */
  readonly skipped: SkippedLine[] = [];
  /** The lines that were read. */
  count = 0;

  constructor(lines: Iterable<Line>) {
    this.#lines = lines;
  }

  *[Symbol.iterator](): Iterator<{ readonly line: number; readonly value: Fields }> {
    for (const { parsed } of recordLines(this.#lines)) {
      const line = ++this.count;
      if (parsed.kind === 'blank') continue;
      if (parsed.kind === 'json' && isRecord(parsed.value)) yield { line, value: parsed.value };
      else this.skipped.push({ line, reason: parsed.kind === 'broken' ? parsed.reason : 'expected an object' });
    }
  }
}

/** The error for a file without a line of its format; `expected` names the required lines. */
export function noUsableLine(
  expected: string,
  { count, skipped }: Pick<ObjectLines, 'count' | 'skipped'>,
): CompressionStrategyError {
  const [first] = skipped;
  const reason = first ? ` (line ${first.line}: ${first.reason})` : '';
  return new CompressionStrategyError(
    `Expected ${expected}, got ${counted(count, 'line')} without any${reason}. Is this the whole file?`,
    'SESSION_UNREADABLE',
  );
}
