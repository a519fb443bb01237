import { closeSync, openSync, readSync } from 'node:fs';

/** At most `length` bytes of a file from `position` on. @throws the system's error. */
export function filePart(file: string, position: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}
