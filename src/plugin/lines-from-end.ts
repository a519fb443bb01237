import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const STEP_BYTES = 256 * 1024;
const NEWLINE = 10;

/** The lines of a file, the last one first; an incomplete last line too. @throws the system's error. */
export function* linesFromEnd(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    let rest: Buffer[] = [];
    for (let end = fstatSync(descriptor).size; end > 0; end -= STEP_BYTES) {
      const length = Math.min(STEP_BYTES, end);
      const bytes = Buffer.allocUnsafe(length);
      readSync(descriptor, bytes, 0, length, end - length);
      let after = length;
      for (let at = bytes.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)) {
        yield Buffer.concat([bytes.subarray(at + 1, after), ...rest]).toString('utf8');
        rest = [];
        after = at;
      }
      rest.unshift(bytes.subarray(0, after));
    }
    yield Buffer.concat(rest).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
