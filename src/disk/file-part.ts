import { closeSync, openSync, readSync } from 'node:fs';

/** Reads at most `length` bytes from `position` on. */
type ReadPart = (position: number, length: number) => Buffer;

/** What `work` makes of parts of a file, which is opened once. @throws the system's error, and what `work` throws. */
export function withFile<Result>(file: string, work: (read: ReadPart) => Result): Result {
  const descriptor = openSync(file, 'r');
  try {
    return work((position, length) => {
      const buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
    });
  } finally {
    closeSync(descriptor);
  }
}

/** At most `length` bytes of a file from `position` on. @throws the system's error. */
export const filePart = (file: string, position: number, length: number): Buffer =>
  withFile(file, (read) => read(position, length));
