import { readOr } from '../../content/foreign-value.ts';

/** A tenth of a millisecond of counting, and two at the first texts of a process, whose code is cold. */
export const SLICE_UNITS = 8 * 1024;
const LONG_TEXT_UNITS = 2 * SLICE_UNITS;
/** Long texts are in a block, or in its parameters or result, rarely deeper. */
const SEARCH_DEPTH = 4;

/** Whether `value` contains a text of more than `units`: with the default, counting it at once would block the thread. */
export function hasLongText(value: unknown, depth = SEARCH_DEPTH, units = LONG_TEXT_UNITS): boolean {
  if (typeof value === 'string') return value.length > units;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  // Where a getter throws, the value counts at once, as far as it can be read.
  const values = readOr<unknown[], unknown[]>(() => Object.values(value), []);
  return values.some((inner) => hasLongText(inner, depth - 1, units));
}
