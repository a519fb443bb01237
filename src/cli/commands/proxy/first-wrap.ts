import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';

/**
 * True once for each folder, which is noted in the data folder. False if that cannot be noted, because the message would be said each time.
 */
export async function isFirstWrap(folder: string): Promise<boolean> {
  const noted = path.join(liveFolder(), 'wrapped');
  try {
    await makeOwnerFolder(noted);
    const name = createHash('sha256').update(folder).digest('hex');
    await writeFile(path.join(noted, name), '', { flag: 'wx', mode: OWNER_FILE_MODE });
    return true;
  } catch {
    return false;
  }
}
