import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { counted } from '../content/counted.ts';

/** A pipe without a writer is opened at once, instead of waiting for a writer. Windows has no such flag. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function assertRegular(status: Stats, file: string): void {
  if (status.isFile()) return;
  const [what, code] = status.isDirectory() ? ['a directory', 'EISDIR'] : ['a pipe, a socket or a device', 'EINVAL'];
  throw Object.assign(new Error(`Expected a regular file at ${file}, got ${what}.`), { code });
}

/**
 * A regular file, opened to be read. A pipe or a device is not opened, because that alone could take what is meant for another reader;
 * if one is at this path since, it is closed at once.
 * @throws the system's error; `EISDIR` or `EINVAL` for what is no regular file.
 */
export function openRegularFile(file: string): number {
  assertRegular(statSync(file), file);
  const descriptor = openSync(file, READ_FLAGS);
  try {
    assertRegular(fstatSync(descriptor), file);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** What `work` makes of a regular file, which is opened once. @throws as `openRegularFile`, and what `work` throws. */
export function withRegularFile<Result>(file: string, work: (descriptor: number) => Result): Result {
  const descriptor = openRegularFile(file);
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of a regular file, up to its size when it was opened. @throws as `openRegularFile`; `EFBIG` if it is larger than `mostBytes`. */
export const regularFileBytes = (file: string, mostBytes = Number.POSITIVE_INFINITY): Buffer =>
  withRegularFile(file, (descriptor) => {
    const { size } = fstatSync(descriptor);
    if (size > mostBytes)
      throw Object.assign(new Error(`Expected at most ${counted(mostBytes, 'byte')} in ${file}, got ${size}.`), {
        code: 'EFBIG',
      });
    const bytes = Buffer.alloc(size);
    let done = 0;
    for (let read = -1; read !== 0 && done < size; done += read)
      read = readSync(descriptor, bytes, done, size - done, done);
    return bytes.subarray(0, done);
  });

/** The text of a regular file, as `regularFileBytes`. */
export const regularFileText = (file: string, mostBytes?: number): string =>
  regularFileBytes(file, mostBytes).toString('utf8');
