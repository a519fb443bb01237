import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';

/** Whether a path is inside a folder, found without opening files. */
type Containment =
  | { readonly kind: 'inside'; readonly realPath: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A longer path exists in no file system. */
const LONGEST_PATH_CHARACTERS = 4_096;

/** True if `file` is below `folder`, by whole segments: `/repo-evil` is not inside `/repo`. Both are absolute and normalised. */
function isInside(folder: string, file: string): boolean {
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
 * The path with every link resolved; segments that do not exist are kept.
 * @throws the system's error; `ENOENT` for a link to nothing.
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
 * Whether an absolute, normalised path is inside `workDir` after all links are resolved. Reads only links, and none if the
 * path itself is outside. Source: docs/readings.md, row 24.
 */
export async function containedPath(
  file: string,
  { workDir, realWorkDir }: { workDir: string; realWorkDir: string },
): Promise<Containment> {
  if (file.includes('\0') || file.length > LONGEST_PATH_CHARACTERS) {
    return { kind: 'refused', reason: 'it is not a valid path' };
  }
  const outside: Containment = { kind: 'refused', reason: `it is not inside ${workDir}` };
  if (!isInside(workDir, file) && !isInside(realWorkDir, file)) return outside;
  try {
    const realPath = await realPathOf(file);
    return isInside(realWorkDir, realPath) ? { kind: 'inside', realPath } : outside;
  } catch (error) {
    return { kind: 'refused', reason: `its real path cannot be resolved (${String(codeOf(error) ?? error)})` };
  }
}
