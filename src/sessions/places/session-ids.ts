import { createHash } from 'node:crypto';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import { filePart } from '../../disk/file-part.ts';
import { homeFolder } from './home-folder.ts';
import { glimpse } from './session-glimpse.ts';
import type { FoundSession } from './session-places.ts';

/** Digits of a short id at least. */
const MIN_DIGITS = 6;
/** Where an agent that does not name the file after the session writes its id. */
const HEAD_BYTES = 16 * 1024;

const hashOf = (file: string): string => createHash('sha256').update(file).digest('hex');

/** The short id of each path: the first digits of its hash, as many as make all of them different. */
export function shortIds(files: readonly string[]): Map<string, string> {
  const hashes = new Map(files.map((file) => [file, hashOf(file)]));
  let digits = MIN_DIGITS;
  while (digits < 64 && new Set([...hashes.values()].map((hash) => hash.slice(0, digits))).size < hashes.size) digits++;
  return new Map([...hashes].map(([file, hash]) => [file, hash.slice(0, digits)]));
}

const nameOf = (file: string): string => path.basename(file).replace(/^.*#|\.[^.]+$/g, '');

/** True if the file, or the folder of a file that is named the same in every session, is named after this id. */
function isNamed(file: string, id: string): boolean {
  const name = nameOf(file);
  return name === id || name.endsWith(`-${id}`) || name.endsWith(`_${id}`) || path.basename(path.dirname(file)) === id;
}

const isNamedWithStart = (file: string, id: string): boolean => new RegExp(`(?:^|[-_])${id}`).test(nameOf(file));

const isInHead = (file: string, id: string): boolean =>
  readOr(() => filePart(file, 0, HEAD_BYTES).toString('latin1').includes(`"${id}"`), false);

/**
 * The sessions that `id` names: the first digits of a short id, else the agent's own id or, from six characters on, its
 * start. `id` consists of letters, digits, `-` and `_`.
 */
export function sessionsWithId(id: string, found: readonly FoundSession[]): readonly FoundSession[] {
  const isLong = id.length >= MIN_DIGITS;
  const ways: ((file: string) => boolean)[] = [
    (file) => hashOf(file).startsWith(id.toLowerCase()),
    (file) => isNamed(file, id),
    (file) => isLong && isNamedWithStart(file, id),
    (file) => isLong && isInHead(file, id),
  ];
  for (const isMeant of ways) {
    const meant = found.filter(({ path: file }) => isMeant(file));
    if (meant.length > 0) return meant;
  }
  return [];
}

/** The folder and those around it, the innermost first, without the home folder and the root: these are no projects. */
function foldersAround(folder: string): string[] {
  const around: string[] = [];
  for (let each = folder; each !== path.dirname(each) && each !== homeFolder(); each = path.dirname(each))
    around.push(each);
  return around;
}

/** The sessions of the project that contains `folder`, and all others, each the last changed first. */
export function sessionsOfProject(
  folder: string,
  found: readonly FoundSession[],
): { readonly own: readonly FoundSession[]; readonly others: readonly FoundSession[] } {
  const byProject = new Map<string, FoundSession[]>();
  for (const session of found) {
    const { project } = glimpse(session);
    if (project !== undefined) addTo(byProject, project, session);
  }
  const own = foldersAround(folder).flatMap((each) => byProject.get(each) ?? []);
  const owned = new Set(own);
  return { own, others: found.filter((session) => !owned.has(session)) };
}
