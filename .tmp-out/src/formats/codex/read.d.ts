import type { Line, Session } from '../contract.ts';
import { type Payload, type PlacedEntry } from './item.ts';
/** Whether a line is one that only rollouts have. */
export declare const isRolloutLine: (value: unknown) => value is Readonly<Record<string, unknown>> & {
    payload: Payload;
};
/**
 * A rollout as the model saw it, and where each entry that is live at its end stands.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when no line is a rollout's.
 */
export declare function readRollout(lines: Iterable<Line>): {
    session: Session;
    live: readonly PlacedEntry[];
};
