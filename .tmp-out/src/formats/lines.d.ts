import type { Line } from './contract.ts';
/** What one line of a JSONL file holds. `reason` is short and without the line number. */
export type ParsedLine = {
    readonly kind: 'json';
    readonly value: unknown;
} | {
    readonly kind: 'blank';
} | {
    readonly kind: 'broken';
    readonly reason: string;
};
/**
 * The lines of a file, cut after byte 10 only, line ends kept: joined they are the file again, byte for byte.
 * `chunks` is called anew for every pass, because `write` passes over the lines more than once; the chunks it
 * returns must not be overwritten later.
 */
export declare function linesOf(chunks: () => Iterable<Uint8Array>): Iterable<Line>;
/** The lines of a text, as UTF-8. */
export declare function linesOfText(text: string): Iterable<Line>;
/**
 * Refuses lines that can be passed over only once, as a generator's: a second pass would find nothing.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE`
 */
export declare function assertRestartable(lines: Iterable<Line>): void;
/** The text of a line or of a whole file, without its byte order mark; bytes that are not UTF-8 become U+FFFD. */
export declare function decode(bytes: Uint8Array): string;
/** All bytes of a file. */
export declare function joinLines(lines: Iterable<Uint8Array>): Uint8Array;
/** The value of a text that should be JSON, or why it is none. */
export declare function parseJson(text: string): ParsedLine;
/** The value of one line of a JSONL file. */
export declare function parseLine(line: Line): ParsedLine;
