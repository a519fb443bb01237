import { CompressionStrategyError } from '../errors.ts';
import type { Line } from './contract.ts';
/** A file that is one JSON value: its bytes as they stand, and the value. */
export interface JsonDocument {
    readonly bytes: Uint8Array;
    readonly value: unknown;
}
/**
 * The one JSON value that a whole file is. It needs the file in memory.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` naming where the JSON ends or breaks.
 */
export declare function readDocument(lines: Iterable<Line>, title: string): JsonDocument;
/** The refusal of a document that is JSON but holds no messages. */
export declare function noMessages(title: string, got: string): CompressionStrategyError;
