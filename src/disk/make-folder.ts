import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Makes a folder and those above it that are missing, all with `mode`; one that is there stays as it is. The
 * `recursive` of Node never ends, and takes a processor, where a folder cannot be made although the one above it is
 * there, as below `/proc`.
 * @throws the system's error.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const make = async (): Promise<unknown> => {
    try {
      await mkdir(folder, { mode });
      return undefined;
    } catch (error) {
      return (await isFolder(folder)) ? undefined : error;
    }
  };
  let error = await make();
  const above = path.dirname(folder);
  if (codeOf(error) === 'ENOENT' && above !== folder) {
    await makeFolder(above, mode);
    error = await make();
  }
  if (error !== undefined) throw error;
}
