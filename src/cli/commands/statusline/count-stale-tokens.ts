import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { temporaryFile } from '../../../disk/temporary-file.ts';
import { SessionWatch } from '../../../lab/watch/session-watch.ts';
import { countFile } from './stale-tokens.ts';

/** Counts what the rules would remove from a session, and keeps the count for the next status line. */
export async function countStaleTokens(session: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const { size: sizeBytes, mtimeMs } = statSync(session);
  const { removable } = await new SessionWatch().look({ path: session, now: Date.now() });
  const file = countFile(session);
  await makeOwnerFolder(path.dirname(file));
  const text = JSON.stringify({ tokens: Math.round(removable.tokens), sizeBytes, mtimeMs });
  const written = await temporaryFile(file, [Buffer.from(text)], { mode: OWNER_FILE_MODE, isSynced: false });
  await written.replace();
}
