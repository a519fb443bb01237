import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';

/** Conversations contain secrets, so only the owner may read their files and folders. */
export const OWNER_FILE_MODE = 0o600;
export const OWNER_FOLDER_MODE = 0o700;

/**
 * Makes a folder and the missing ones above it, all with `mode`; existing ones are not changed. Node's `recursive` is not
 * used: it never ends if a folder cannot be made although its parent exists, as below `/proc`.
 * @throws the system's error.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const make = async (): Promise<unknown> => {
    const error: unknown = await mkdir(folder, { mode }).catch((cause: unknown) => cause);
    if (error === undefined) return undefined;
    return (await stat(folder).catch(() => undefined))?.isDirectory() ? undefined : error;
  };
  let error = await make();
  const above = path.dirname(folder);
  if (codeOf(error) === 'ENOENT' && above !== folder) {
    await makeFolder(above, mode);
    error = await make();
  }
  if (error !== undefined) throw error;
}

/** Makes a folder, and the missing ones above it, for its owner only. @throws the system's error. */
export const makeOwnerFolder = (folder: string): Promise<void> => makeFolder(folder, OWNER_FOLDER_MODE);
