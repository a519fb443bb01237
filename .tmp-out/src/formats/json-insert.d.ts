import type { JsonPath } from './json-splice.ts';
/** New elements of a JSON list: `at` is the index, in the list as it stands, of the element they come before. */
export interface Insertion {
    readonly at: number;
    readonly values: readonly unknown[];
}
/** The same JSON text with new elements in the list at `path`, every other character as it was. Each costs one pass. */
export declare function insertElements(bytes: Uint8Array, path: JsonPath, insertions: readonly Insertion[]): Uint8Array;
