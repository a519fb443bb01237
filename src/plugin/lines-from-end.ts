import { closeSync, fstatSync, readSync } from 'node:fs';
import type { Fields } from '../content/foreign-value.ts';
import { openRegularFile } from '../disk/regular-file.ts';
import { recordsOf } from '../formats/lines/record-lines.ts';

const PART_BYTES = 512 * 1024;
const NEWLINE = 10;

/**
 * Parts of a regular file, the last one first, each of whole lines; an incomplete last line too. The bytes of a part are valid until the next one is
 * taken. @throws the system's error.
 */
export function* partsFromEnd(file: string): Generator<Buffer> {
  const descriptor = openRegularFile(file);
  try {
    let memory = Buffer.allocUnsafe(PART_BYTES);
    let end = fstatSync(descriptor).size;
    while (end > 0) {
      const start = Math.max(0, end - memory.length);
      const part = memory.subarray(0, end - start);
      readSync(descriptor, part, 0, part.length, start);
      // The first line may begin before this part: it is read again with the next one.
      const first = start === 0 ? 0 : part.indexOf(NEWLINE) + 1;
      if (start > 0 && (first === 0 || first === part.length)) memory = Buffer.allocUnsafe(2 * memory.length);
      else {
        yield part.subarray(first);
        end = start + first;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Where the line starts in which a byte of a part is. */
export const lineStart = (part: Buffer, at: number): number => (at === 0 ? 0 : part.lastIndexOf(NEWLINE, at - 1) + 1);

/** Where it ends, without its line feed. */
export function lineEnd(part: Buffer, at: number): number {
  const newline = part.indexOf(NEWLINE, at);
  return newline === -1 ? part.length : newline;
}

/** The lines of a part, the last one first. */
export function* linesOf(part: Buffer): Generator<Buffer> {
  for (let end = part.length; end > 0; ) {
    const start = lineStart(part, end - 1);
    yield part.subarray(start, end);
    end = start;
  }
}

/** The lines of a file, the last one first, as `partsFromEnd` has them. @throws the system's error. */
export function* linesFromEnd(file: string): Generator<Buffer> {
  for (const part of partsFromEnd(file)) yield* linesOf(part);
}

/** The records of the lines that are `wanted`, the last one first. @throws the system's error. */
export function* recordsFromEnd(file: string, isWanted: (line: Buffer) => boolean): Generator<Fields> {
  for (const line of linesFromEnd(file)) if (isWanted(line)) yield* recordsOf(line).toReversed();
}
