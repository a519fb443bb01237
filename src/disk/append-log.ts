import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from './owner-only.ts';

const NEWLINE = 10;

/** Whether the file ends in the middle of a line, as a killed process leaves it. */
async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/**
 * Opens a file of lines that is only appended to, readable by its owner alone; its folders are made. What an
 * interrupted write left of a line is ended, so that it stays a line by itself. @throws the system's error.
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
