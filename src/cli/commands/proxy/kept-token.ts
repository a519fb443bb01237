import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';

const TOKEN_BYTES = 16;
const TOKEN = /^[\w-]{20,}$/;

/** A secret part of this user's proxy addresses, by the name of its file; made once, so that settings and bookmarks keep working. */
export async function keptToken(name: 'token' | 'page-token'): Promise<string> {
  const file = path.join(liveFolder(), name);
  const known = await readFile(file, 'utf8').catch(() => '');
  if (TOKEN.test(known.trim())) return known.trim();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await makeOwnerFolder(liveFolder());
  await writeFile(file, `${token}\n`, { mode: OWNER_FILE_MODE });
  return token;
}
