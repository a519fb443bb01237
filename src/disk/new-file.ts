import { OWNER_FILE_MODE } from './owner-only.ts';
import { temporaryFile } from './temporary-file.ts';

/** Pieces are made while they are written: small batches let other work run between them. */
const BATCH_BYTES = 64 * 1024;

/**
 * Writes a file that has its name only when it is complete, readable by its owner alone.
 * @throws the system's error, `EEXIST` when there is such a file already: it is never replaced.
 */
export async function writeNewFile(file: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const temporary = await temporaryFile(file, pieces, { mode: OWNER_FILE_MODE, batchBytes: BATCH_BYTES });
  try {
    await temporary.placeNew();
  } finally {
    await temporary.discard();
  }
}
