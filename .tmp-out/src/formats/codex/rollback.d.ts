import type { PlacedEntry } from './item.ts';
/**
 * The index of the first entry that goes when the last `turns` turns are undone: all of them from the first turn on
 * when there are fewer; none when there is no turn.
 */
export declare function firstRolledBack(live: readonly PlacedEntry[], turns: number): number;
