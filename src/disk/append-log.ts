import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from './owner-only.ts';

const NEWLINE = 10;

/** True if the file ends in the middle of a line, as after a killed process. */
async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/**
 * Opens a file of lines for appending, readable by its owner only, and makes its folders. An incomplete last line gets
 * its line end, so that it does not join the next line. @throws the system's error.
 */
export async function openAppendLog(file: string): Promise<FileHandle> {
  await makeOwnerFolder(path.dirname(file));
  const handle = await open(file, 'a+', OWNER_FILE_MODE);
  try {
    if (await endsInsideLine(handle)) await handle.appendFile('\n');
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
