import { existsSync } from 'node:fs';
import path from 'node:path';

/** A project's own settings: one JSON object with a field for each setting. */
export const PROJECT_FILE_NAME = '.density.json';

/** The nearest project file in `folder` or above it, not above the root of its repository. */
export function findProjectFile(folder: string): string | undefined {
  const current = path.resolve(folder);
  const file = path.join(current, PROJECT_FILE_NAME);
  if (existsSync(file)) return file;
  const parent = path.dirname(current);
  return parent === current || existsSync(path.join(current, '.git')) ? undefined : findProjectFile(parent);
}
