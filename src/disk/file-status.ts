import { type Stats, statSync } from 'node:fs';

/**
 * The status of a path, with links followed; undefined if nothing is there or the status cannot be read (forbidden, a
 * circle of links, too long a name). Opening the path throws the reason.
 */
export function fileStatus(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
