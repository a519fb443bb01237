import { applyEdits, modify } from 'jsonc-parser';
import { decode } from './lines.js';
/** The same JSON text with new elements in the list at `path`, every other character as it was. Each costs one pass. */
export function insertElements(bytes, path, insertions) {
    if (insertions.length === 0)
        return bytes;
    let text = decode(bytes);
    // From the last to the first, so that earlier indices keep their meaning.
    for (const { at, values } of insertions.toSorted((one, other) => other.at - one.at)) {
        for (const value of values.toReversed())
            text = applyEdits(text, modify(text, [...path, at], value, { isArrayInsertion: true }));
    }
    return new TextEncoder().encode(text);
}
