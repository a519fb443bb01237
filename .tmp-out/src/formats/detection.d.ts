/** The value of a JSON text that may end anywhere: what is open at the end is closed. Undefined when it is no JSON. */
export declare function headDocument(head: string): unknown;
/**
 * The values of the lines of a JSONL text that may end anywhere, a last line that is cut included as far as it
 * goes; lines that are no JSON are left out.
 */
export declare function headLines(head: string): unknown[];
/** Whether a value is an object with fields, neither null nor a list. */
export declare function isRecord(value: unknown): value is Readonly<Record<string, unknown>>;
