import { decode } from '../lines/lines.ts';

/** A member of an object or an element of a list in a JSON text. */
interface Member {
  readonly key: string | number;
  /** Where the member starts: its key in an object, its value in an array. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
export const OPEN_LIST = 91;
export const OPEN_OBJECT = 123;
const CLOSE_LIST = 93;
const CLOSE_OBJECT = 125;

/** The next place that is no white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === RETURN || bytes[at] === TAB) at++;
  return at;
}

/** The end of the string that starts at `from`. */
export function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE as number, from + 1); at !== -1; at = bytes.indexOf(QUOTE as number, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return bytes.length;
}

/** The end of the value that starts at `from`. */
export function valueEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (
      depth === 0 &&
      (byte === COMMA || byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB)
    )
      return at;
    at++;
  }
  return at;
}

/** At least the number of values in these bytes, those in values included. */
export function valueCount(bytes: Uint8Array, from: number, end: number): number {
  let count = 1;
  for (let at = from; at < end; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      continue;
    }
    if (byte === COMMA || byte === OPEN_OBJECT || byte === OPEN_LIST) count++;
    at++;
  }
  return count;
}

/** The members of the object, or the elements of the list, that starts at `from`. */
export function membersOf(bytes: Uint8Array, from: number): Member[] {
  const isObject = bytes[from] === OPEN_OBJECT;
  const members: Member[] = [];
  let at = skipSpace(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_OBJECT && bytes[at] !== CLOSE_LIST) {
    const start = at;
    let key: string | number = members.length;
    if (isObject) {
      at = stringEnd(bytes, at);
      key = JSON.parse(decode(bytes.subarray(start, at))) as string;
      at = skipSpace(bytes, at);
      if (bytes[at] === COLON) at++;
      at = skipSpace(bytes, at);
    }
    const valueStart = at;
    at = valueEnd(bytes, at);
    members.push({ key, start, valueStart, end: at });
    at = skipSpace(bytes, at);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return members;
}

/** The start of the value at `path` below the value that starts at `from`; `undefined` if there is none. */
export function startOf(bytes: Uint8Array, from: number, path: readonly (string | number)[]): number | undefined {
  let at = from;
  for (const key of path) {
    if (bytes[at] !== OPEN_OBJECT && bytes[at] !== OPEN_LIST) return undefined;
    // JSON.parse uses the last of several equal keys.
    const member = membersOf(bytes, at).findLast((one) => one.key === key);
    if (member === undefined) return undefined;
    at = member.valueStart;
  }
  return at;
}
