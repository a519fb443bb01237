import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../package-file.ts';
import { knownRemovableTokens } from '../commands/statusline/removable-tokens.ts';

/** Whoever resumes a session waits so long for an offer. */
const COUNT_MS = 5_000;

/** What the rules would remove from a session, as the status line counts it, and again if the session changed since; undefined if that takes too long. */
export function countedRemovableTokens(session: string): number | undefined {
  const { size, mtimeMs } = statSync(session);
  const known = knownRemovableTokens(session);
  if (known?.sizeBytes === size && known.mtimeMs === mtimeMs) return known.tokens;
  const command = fileURLToPath(packageFile('dist/density.js'));
  const { status } = spawnSync(process.execPath, [command, 'statusline', '--count', session], {
    timeout: COUNT_MS,
    stdio: 'ignore',
  });
  return status === 0 ? knownRemovableTokens(session)?.tokens : undefined;
}
