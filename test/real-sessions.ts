import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const SHARED = path.resolve(import.meta.dirname, '../../shared');
const FOLDERS = ['data', 'more-data'].map((name) => path.join(SHARED, name));
const MODERN = path.join(SHARED, 'modern-data');
const present = FOLDERS.filter((folder) => existsSync(folder));

/** All sessions take minutes: `npm test` plays some of each folder below this size, and `REAL_SESSIONS=all` all of them. */
const SAMPLE_BYTES = 400_000;
const MOST_SAMPLED = 2;
/** True in `npm test`. */
export const isSampled = process.env['REAL_SESSIONS'] !== 'all';

/** True if recorded sessions exist beside the checkout; otherwise one message per test file says that they do not. */
export const haveRealSessions = present.length > 0;
for (const folder of FOLDERS)
  if (!present.includes(folder)) console.log(`Recorded sessions are absent (${folder}): tests on them are skipped.`);

/** At least one of them. */
function sampled(files: readonly string[]): string[] {
  const small = files.filter((file) => statSync(file).size < SAMPLE_BYTES);
  return (small.length > 0 ? small : files.slice(0, 1)).filter((_, index) => index % 3 === 0).slice(0, MOST_SAMPLED);
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jsonl?|traj|md)$/.test(name))
    .map((name) => path.join(folder, name))
    .sort();

/** Absolute paths of the recorded sessions in these sub-folders, sorted; empty when there are none. */
export function realSessions(...folders: readonly string[]): string[] {
  return filesBelow(folders).flatMap((files) => (isSampled ? sampled(files) : files));
}

/** The files of each of these sub-folders. */
const filesBelow = (folders: readonly string[]): string[][] =>
  present
    .flatMap((root) => folders.map((folder) => path.join(root, folder)))
    .filter(existsSync)
    .map(filesIn);

/** Absolute path of the recorded session with this path in one of the folders, or in that of the sessions of 2026. */
export const realSession = (file: string): string | undefined =>
  [...present, MODERN].map((root) => path.join(root, file)).find(existsSync);

const formatFolders = (): readonly string[] => {
  const entries = present.flatMap((root) => readdirSync(root, { withFileTypes: true }));
  return [...new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))];
};

/** Recorded sessions of every format, as many as `realSessions` takes. */
export const sessionsOfEveryFormat = (): string[] => realSessions(...formatFolders());

/** Every session of the first folder: for a share of something that few sessions have. */
export const sessionsOfFirstFolder = (): string[] =>
  filesBelow(formatFolders())
    .flat()
    .filter((file) => file.startsWith(FOLDERS[0]!));

/** All recorded sessions of 2026; the smaller third of them unless all are asked for. */
export function modernSessions(): string[] {
  if (!existsSync(MODERN)) return [];
  const files = filesIn(MODERN).filter((file) => !/^(?:ATTRIBUTION|manifest)\./.test(path.basename(file)));
  return isSampled ? sampled(files) : files;
}
