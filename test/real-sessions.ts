import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../shared/data');

/** True if recorded sessions exist beside the checkout; otherwise one message per test file says that they do not. */
export const haveRealSessions = existsSync(FOLDER);
if (!haveRealSessions) console.log(`Recorded sessions are absent (${FOLDER}): tests on real data are skipped.`);

/** Absolute paths of the recorded sessions in these sub-folders, sorted; empty when there are none. */
export function realSessions(...folders: readonly string[]): string[] {
  if (!haveRealSessions) return [];
  return folders.flatMap((folder) =>
    readdirSync(path.join(FOLDER, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(jsonl?|traj|md)$/.test(name))
      .map((name) => path.join(FOLDER, folder, name))
      .sort(),
  );
}

/** All recorded sessions, of every format. */
export function sessionsOfEveryFormat(): string[] {
  if (!haveRealSessions) return [];
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return realSessions(...folders.map(({ name }) => name));
}
