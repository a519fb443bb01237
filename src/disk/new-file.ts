import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './make-folder.ts';

const BATCH_CHARACTERS = 64 * 1024;
/** Conversations hold secrets: nobody else may read them. */
const [FILE_MODE, FOLDER_MODE] = [0o600, 0o700] as const;

async function writePieces(handle: FileHandle, pieces: Iterable<string>): Promise<void> {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH_CHARACTERS) continue;
    await handle.writeFile(batch);
    batch = '';
  }
  await handle.writeFile(batch);
  await handle.sync();
}

/**
 * Writes a file that stands under its name complete or not at all, readable by its owner alone; folders are made.
 * @throws the system's error, `EEXIST` when there is such a file already: it is never replaced.
 */
export async function writeNewFile(file: string, pieces: Iterable<string>): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder, FOLDER_MODE);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    try {
      await writePieces(handle, pieces);
    } finally {
      await handle.close();
    }
    // Unlike renaming, a link never replaces a file of that name.
    await link(temporary, file);
  } finally {
    await unlink(temporary);
  }
}
