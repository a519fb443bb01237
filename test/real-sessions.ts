import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../shared/data');

/** Whether recorded sessions stand beside the checkout; prints once per test file that they do not. */
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

const LARGE_BYTES = 1_500_000;
const wantsAll = process.env['EVERY_SESSION'] === '1';

/**
 * Recorded sessions of every format: those up to 1.5 MB, all of them where `EVERY_SESSION=1` is set. Prints how many
 * are left out.
 */
export function sessionsOfEveryFormat(): string[] {
  if (!haveRealSessions) return [];
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = realSessions(...folders.map(({ name }) => name));
  const chosen = files.filter((file) => wantsAll || statSync(file).size <= LARGE_BYTES);
  if (chosen.length < files.length) {
    console.log(`${files.length - chosen.length} of ${files.length} recorded sessions are left out: EVERY_SESSION=1.`);
  }
  return chosen;
}
