import { isRecord, jsonOf } from '../../content/foreign-value.ts';
import { OPEN_OBJECT, skipSpace, valueEnd } from '../../formats/json/json-scan.ts';
import { decode } from '../../formats/lines/lines.ts';

/** Where a request asks for its prompt to be cached until there. */
export interface CacheMark {
  readonly ttl: unknown;
}

const NAME = '"cache_control"';
const COLON = 58;

/**
 * The marks of a Messages request. In a text its name would have escaped quotes. A field of a tool's input that has this name counts too.
 * Linear in the body.
 */
export function cacheMarks(body: Uint8Array): readonly CacheMark[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const marks: CacheMark[] = [];
  for (let at = bytes.indexOf(NAME); at !== -1; at = bytes.indexOf(NAME, at + NAME.length)) {
    const colon = skipSpace(bytes, at + NAME.length);
    const start = skipSpace(bytes, colon + 1);
    if (bytes[colon] !== COLON || bytes[start] !== OPEN_OBJECT) continue;
    const mark = jsonOf(decode(bytes.subarray(start, valueEnd(bytes, start))));
    if (isRecord(mark) && mark['type'] === 'ephemeral') marks.push({ ttl: mark['ttl'] });
  }
  return marks;
}
