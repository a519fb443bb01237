import { rmdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** The folders that this process is about to make or made, and that are removed when they are left empty. */
const made = new Set<string>();

/** Notes which of a folder and those above it do not exist yet. */
export async function noteMissing(folder: string): Promise<void> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  const above = path.dirname(folder);
  if (exists || above === folder) return;
  made.add(path.resolve(folder));
  await noteMissing(above);
}

/** Removes a folder and those above it that this process made, as far as they are empty. */
export async function removeMade(folder: string): Promise<void> {
  const key = path.resolve(folder);
  if (!made.has(key)) return;
  try {
    await rmdir(key);
  } catch {
    return;
  }
  made.delete(key);
  await removeMade(path.dirname(key));
}
