import type { IContent } from '../../content/content.ts';
import type { Line } from '../contract.ts';
/**
 * The rollout with its live history changed. A line goes when all that it says goes; items inside the last
 * `replacement_history` change in place. Lines for the screen (`event_msg`) and those that are no longer live stay.
 * Of an answer that lost the calls its reasoning led to, the reasoning goes too.
 */
export declare function writeRollout(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array>;
