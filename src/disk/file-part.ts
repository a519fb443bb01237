import { readSync } from 'node:fs';
import { withRegularFile } from './regular-file.ts';

/** Reads at most `length` bytes from `position` on. */
type ReadPart = (position: number, length: number) => Buffer;

/** What `work` makes of parts of a regular file, which is opened once. @throws as `withRegularFile`. */
export const withFile = <Result>(file: string, work: (read: ReadPart) => Result): Result =>
  withRegularFile(file, (descriptor) =>
    work((position, length) => {
      const buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
    }),
  );

/** At most `length` bytes of a regular file from `position` on. @throws as `withRegularFile`. */
export const filePart = (file: string, position: number, length: number): Buffer =>
  withFile(file, (read) => read(position, length));
