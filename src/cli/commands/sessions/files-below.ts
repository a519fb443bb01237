import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Folders whose files are not written by people. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function sorted(folder: string): Promise<Dirent[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The files below `folder`, by name. Does not follow links; skips `.git` and `node_modules`. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await sorted(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isFile()) yield full;
    else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* filesBelow(full);
  }
}
