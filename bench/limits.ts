import type { Row } from './row.ts';

/** What the median of a row must reach, by its id, and whether at most or at least. */
export type Limits = Readonly<Record<string, readonly ['<=' | '>=', number]>>;

/** Prints each figure that has a limit, with the limit. */
export function printLimits(rows: readonly Row[], limits: Limits): void {
  for (const { id, median, unit } of rows) {
    const limit = limits[id];
    if (limit === undefined) continue;
    const [relation, value] = limit;
    const isMet = relation === '<=' ? median <= value : median >= value;
    console.log(`${isMet ? 'reached' : 'MISSED '} ${id}: ${median} ${unit}, to be ${relation} ${value}`);
  }
}
