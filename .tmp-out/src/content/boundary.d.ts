import type { IContent } from './content.ts';
import { type Pairing } from './pairing.ts';
/**
 * For each entry the index of the first entry of its group: entries are in one group when calls in one are answered
 * in the other, directly or through further pairs. Whoever drops whole groups splits no pair. Near linear.
 */
export declare function pairGroups(history: readonly IContent[], pairing?: Pairing): Int32Array;
/**
 * The index nearest to `index` in `direction` at which the history can be cut in two without splitting a pair;
 * `0` and `history.length` always can. Parallel and interleaved calls included.
 */
export declare function pairSafeIndex(history: readonly IContent[], index: number, { direction, pairing }: {
    direction: 'earlier' | 'later';
    pairing?: Pairing;
}): number;
/**
 * The index nearest to `index` at which a kept part may start: forward over tool entries, then one back if the entry
 * before has calls that nothing before `index` answers; when only tool entries follow, back to what they answer.
 * It knows neighbours only; `pairSafeIndex` holds for any history. Source: spec/history-service.md.
 */
export declare function adjustForToolCallBoundary(history: readonly IContent[], index: number): number;
