import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';

/** What was found out about a path without opening anything. */
export type Containment =
  | { readonly kind: 'inside'; readonly realPath: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Longer than any file system takes. */
const LONGEST_PATH_CHARACTERS = 4_096;

/** Whether `file` is below `folder`, by whole segments: `/repo-evil` is not inside `/repo`. Both are absolute and normalised. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * The path with every link in it resolved; what does not exist yet is kept as it is spelled.
 * @throws the system's error; `ENOENT` for a link that points to nothing.
 */
export async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    if (!isMissing || (await exists(file))) throw error;
    const folder = path.dirname(file);
    return folder === file ? file : path.join(await realPathOf(folder), path.basename(file));
  }
}

/**
 * Whether a path, absolute and normalised, leads to a place inside `workDir` when every link in it is followed. Looks
 * at nothing but links, and not even at those when the path itself already leads outside. Source: docs/readings.md, row 24.
 */
export async function containedPath(
  file: string,
  { workDir, realWorkDir }: { workDir: string; realWorkDir: string },
): Promise<Containment> {
  if (file.includes('\0') || file.length > LONGEST_PATH_CHARACTERS) {
    return { kind: 'refused', reason: 'it is no path that a file can have' };
  }
  const outside: Containment = { kind: 'refused', reason: `it is not inside ${workDir}` };
  if (!isInside(workDir, file) && !isInside(realWorkDir, file)) return outside;
  try {
    const realPath = await realPathOf(file);
    return isInside(realWorkDir, realPath) ? { kind: 'inside', realPath } : outside;
  } catch (error) {
    return { kind: 'refused', reason: `its place cannot be found out (${String(codeOf(error) ?? error)})` };
  }
}
