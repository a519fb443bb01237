import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Fills an empty folder with links to what is in an agent's own one, so that refreshed logins and new sessions are where they belong.
 * `made`: names that are made in it instead.
 */
export async function linkAll(own: string, folder: string, made: ReadonlySet<string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(own).catch(() => []))
    if (!made.has(name)) await symlink(path.join(own, name), path.join(folder, name));
}

/** Moves what an agent made beside the links, such as a first login, to its own folder. */
export async function keepNew(folder: string, own: string, made: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!made.has(entry.name) && !entry.isSymbolicLink())
      await cp(path.join(folder, entry.name), path.join(own, entry.name), { recursive: true });
}
