import { type Stats, statSync } from 'node:fs';
import { readOr } from '../content/foreign-value.ts';

/**
 * The status of a path, with links followed; undefined if nothing is there or the status cannot be read (forbidden, a
 * circle of links, too long a name). Opening the path throws the reason.
 */
export const fileStatus = (path: string): Stats | undefined =>
  readOr(() => statSync(path, { throwIfNoEntry: false }), undefined);
