/**
 * The JSON text of a value that goes into a file.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when JSON cannot hold it.
 */
export declare function jsonText(value: unknown, name: string): string;
/** What a result says as text: a string is itself, anything else its JSON, nothing the empty string. */
export declare function resultText(result: unknown): string;
