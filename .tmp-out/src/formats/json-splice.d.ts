/** Keys and array indices from the root of a JSON text to one of its values. */
export type JsonPath = readonly (string | number)[];
/**
 * One change of a JSON text. `set` puts a value in place of the one at `path`, or adds it when `path` names a key
 * that its object does not have or the index after the last of its array. `remove` takes a member or element away.
 */
export type JsonChange = {
    readonly kind: 'set';
    readonly path: JsonPath;
    readonly value: unknown;
} | {
    readonly kind: 'remove';
    readonly path: JsonPath;
};
/**
 * The same JSON text with these changes made and every other byte as it was, white space and byte order mark
 * included. `bytes` must be valid JSON, with anything after it that is white space. Cost: linear in the text.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when a path leads nowhere.
 */
export declare function spliceJson(bytes: Uint8Array, changes: readonly JsonChange[]): Uint8Array;
