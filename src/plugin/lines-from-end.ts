import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const STEP_BYTES = 256 * 1024;
const NEWLINE = 10;

/** The lines of a file, the last one first; an incomplete last line too. The bytes of a line are valid until the next one is taken. @throws the system's error. */
export function* linesFromEnd(file: string): Generator<Buffer> {
  const descriptor = openSync(file, 'r');
  try {
    const memory = Buffer.allocUnsafe(STEP_BYTES);
    let rest: Buffer[] = [];
    for (let end = fstatSync(descriptor).size; end > 0; end -= STEP_BYTES) {
      const length = Math.min(STEP_BYTES, end);
      const bytes = memory.subarray(0, length);
      readSync(descriptor, bytes, 0, length, end - length);
      let after = length;
      for (let at = bytes.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)) {
        const line = bytes.subarray(at + 1, after);
        yield rest.length === 0 ? line : Buffer.concat([line, ...rest]);
        rest = [];
        after = at;
      }
      rest.unshift(Buffer.from(bytes.subarray(0, after)));
    }
    yield Buffer.concat(rest);
  } finally {
    closeSync(descriptor);
  }
}
