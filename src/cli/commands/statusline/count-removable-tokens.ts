import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { fileBytes } from '../../../disk/file-bytes.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../../disk/owner-only.ts';
import { replaceFile } from '../../../disk/temporary-file.ts';
import { optimizeConfig } from '../../../sessions/prunable.ts';
import { readSession } from '../../../sessions/read-session.ts';
import { sessionFigures } from '../../../sessions/session-inspection.ts';
import { createEphemerals } from '../../../settings/resolve.ts';
import { layersInForce } from '../../options/setting-sources.ts';
import { countFile } from './removable-tokens.ts';

/** Counts what the rules would remove from a session, and keeps the count for the next status line. */
export async function countRemovableTokens(session: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const { size: sizeBytes, mtimeMs } = statSync(session);
  const optimize = optimizeConfig(createEphemerals(await layersInForce({}), { model: 'unknown' }));
  const { removableTokens: tokens } = sessionFigures(readSession(fileBytes(session)), optimize);
  const file = countFile(session);
  await makeOwnerFolder(path.dirname(file));
  await replaceFile(file, JSON.stringify({ tokens, sizeBytes, mtimeMs }), { mode: OWNER_FILE_MODE, isSynced: false });
}
