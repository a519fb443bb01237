import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Workspace } from '../../workspace.ts';
import { globPattern } from './glob-pattern.ts';

/** Folders whose files are not written by people. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function sorted(folder: string): Promise<Dirent[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The files below `folder`, by name. Does not follow links; skips `.git` and `node_modules`. */
export async function* filesBelow(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  for (const entry of await sorted(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isFile()) yield full;
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* filesBelow(full, signal);
  }
}

/** The files below `folder` whose path from there matches a glob. */
export async function* filesMatching(
  workspace: Workspace,
  glob: string,
  signal: AbortSignal,
  folder: string = workspace.root,
): AsyncGenerator<string> {
  const pattern = globPattern(glob);
  for await (const file of filesBelow(folder, signal)) {
    if (pattern.test(path.relative(folder, file).split(path.sep).join('/'))) yield file;
  }
}
