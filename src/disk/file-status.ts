import { type Stats, statSync } from 'node:fs';

/**
 * What stands at a path, with links followed; undefined where nothing does or it cannot be looked at, be it forbidden, a
 * circle of links or too long a name: who opens it hears why.
 */
export function fileStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
