import { createHash } from 'node:crypto';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';

import { addTo, groupBy } from '../../content/group-by.ts';
import { filePart } from '../../disk/file-part.ts';
import { homeFolder } from './home-folder.ts';
import { glimpse } from './session-glimpse.ts';
import type { FoundSession } from './session-places.ts';

/** Digits of a short id at least. */
const MIN_DIGITS = 6;
/** Where an agent that does not name the file after the session writes its id. */
const HEAD_BYTES = 16 * 1024;

const hashOf = (file: string): string => createHash('sha256').update(file).digest('hex');

const nameOf = (file: string): string => path.basename(file).replace(/^.*#|\.[^.]+$/g, '');

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The id at the end of a file's name: a UUID, its start as Gemini CLI writes it, or that of OpenCode. */
const NAMED_AFTER = new RegExp(`(?:^|[-_])(${UUID})$|^session-.*-([0-9a-f]{8})$|^(ses_\\w+)$`);
const FOLDER_NAMED_AFTER = new RegExp(`^${UUID}$`);

/** The id that the agent gives a session, where the name of the file or of its folder has it. */
function agentIdOf(file: string): string | undefined {
  const named = NAMED_AFTER.exec(nameOf(file))?.slice(1).find(Boolean);
  const folder = path.basename(path.dirname(file));
  return named ?? (FOLDER_NAMED_AFTER.test(folder) ? folder : undefined);
}

/** How many characters two texts have in common at their start. */
function commonLength(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/**
 * The short id of each path: the start of the id that its agent gives the session, or of the hash of the path where no agent
 * gives one or several files have it. Each is as long as makes it differ from all others.
 */
export function shortIds(files: readonly string[]): Map<string, string> {
  const all = [...new Set(files)];
  const byId = groupBy(all, (file) => agentIdOf(file) ?? '');
  const keyed = all.map((file) => {
    const id = agentIdOf(file);
    return { file, key: id !== undefined && byId.get(id)?.length === 1 ? id : hashOf(file) };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(
    keyed.map(({ file, key }, at) => {
      const common = Math.max(commonLength(key, keyed[at - 1]?.key), commonLength(key, keyed[at + 1]?.key));
      return [file, key.slice(0, Math.max(MIN_DIGITS, common + 1))];
    }),
  );
}

/** True if the file, or the folder of a file that is named the same in every session, is named after this id. */
function isNamed(file: string, id: string): boolean {
  const name = nameOf(file);
  return name === id || name.endsWith(`-${id}`) || name.endsWith(`_${id}`) || path.basename(path.dirname(file)) === id;
}

function isNamedWithStart(file: string, id: string): boolean {
  const name = nameOf(file);
  return name.startsWith(id) || name.includes(`-${id}`) || name.includes(`_${id}`);
}

const isInHead = (file: string, id: string): boolean =>
  readOr(() => filePart(file, 0, HEAD_BYTES).toString('latin1').includes(`"${id}"`), false);

/**
 * The sessions that `id` names: the agent's own id or its start, else the first digits of the hash
 * of a path, which is the short id of other sessions, and was that of every session in earlier versions. `id` consists of letters, digits, `-` and `_`.
 */
export function sessionsWithId(id: string, found: readonly FoundSession[]): readonly FoundSession[] {
  const isLong = id.length >= MIN_DIGITS;
  const ways: ((file: string) => boolean)[] = [
    (file) => isNamed(file, id),
    (file) => agentIdOf(file)?.toLowerCase().startsWith(id.toLowerCase()) === true,
    (file) => hashOf(file).startsWith(id.toLowerCase()),
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
