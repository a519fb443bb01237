import { lineHash, unitsHash } from '../content/lines/line-hash.ts';
import { textUnits } from '../content/lines/text-units.ts';

/** A shorter name can be equal by chance. */
const MIN_NAME_CHARS = 10;
/** Precedes a name in its hash; no line contains it. */
const NAME_PREFIX = '\u0001';
const SLASH = 47;

/** By UTF-16 unit: its roles in a name, as bits. Only ASCII has any. */
const PATH_PART = 1;
const WORD = 2;
const LOWER = 4;
const UPPER = 8;
const DIGIT = 16;
const SEPARATOR = 32;
const KINDS = new Uint8Array(1 << 16);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  const bits: readonly [RegExp, number][] = [
    [/[\w.-]/, PATH_PART],
    [/\w/, WORD],
    [/[a-z_]/, LOWER],
    [/[A-Z_]/, UPPER],
    [/\d/, DIGIT],
    [/\//, SEPARATOR],
  ];
  KINDS[unit] = bits.reduce((kinds, [pattern, bit]) => (pattern.test(character) ? kinds | bit : kinds), 0);
}

/** The names and paths in a text, each once. */
export function namesIn(text: string): string[] {
  const names = new Set<string>();
  const bounds = nameBounds(textUnits(text), text.length);
  for (let at = 0; at < bounds.length; at += 2) names.add(text.slice(bounds[at], bounds[at + 1]));
  return [...names];
}

/** The names in a text except those at its ends: any text that contains this one contains them as names. Linear. */
export function innerNames(text: string): string[] {
  let start = 0;
  let end = text.length;
  while (start < end && KINDS[text.charCodeAt(start)] !== 0) start++;
  while (end > start && KINDS[text.charCodeAt(end - 1)] !== 0) end--;
  return namesIn(text.slice(start, end));
}

/** The hash of a name; it differs from the hash of an equal line. */
export const nameHash = (name: string): number => lineHash(`${NAME_PREFIX}${name}`);

const NAME_START = lineHash(NAME_PREFIX);

/** Appends `nameHash` of each name in a text, given as `textUnits`; a repeated name is repeated. Linear; copies nothing. */
export function addNameHashes(units: Uint16Array, length: number, hashes: number[]): void {
  const bounds = nameBounds(units, length);
  for (let at = 0; at < bounds.length; at += 2) hashes.push(unitsHash(units, bounds[at]!, bounds[at + 1]!, NAME_START));
}

/**
 * The start and end of each name, alternating. A name has at least ten characters and is a path, or a word with a
 * capital or an underscore inside, which sentences do not contain: what
 * `[\w.-]*(?:\/[\w.-]+)+|[A-Za-z_]*[a-z\d_][A-Z_]\w*` matches, in a tenth of the time. The 0 after the text has no role.
 */
function nameBounds(units: Uint16Array, length: number): readonly number[] {
  const bounds: number[] = [];
  for (let at = nextRun(units, 0, length); at < length; at = nextRun(units, at, length)) {
    const start = at;
    while (KINDS[units[at]!]! & PATH_PART) at++;
    const partEnd = at;
    while (units[at] === SLASH && KINDS[units[at + 1]!]! & PATH_PART) {
      at += 2;
      while (KINDS[units[at]!]! & PATH_PART) at++;
    }
    if (at > partEnd) {
      if (at - start >= MIN_NAME_CHARS) bounds.push(start, at);
      continue;
    }
    if (at - start >= MIN_NAME_CHARS) addWordsWithin(units, { start, end: at }, bounds);
    if (at === start) at++;
  }
  return bounds;
}

/** The start of the next run of units, from `from` on, that is long enough to contain a name; `length` if there is none. */
function nextRun(units: Uint16Array, from: number, length: number): number {
  let start = from;
  let at = start + MIN_NAME_CHARS - 1;
  while (at < length) {
    if (KINDS[units[at]!] === 0) {
      start = at + 1;
      at += MIN_NAME_CHARS;
    } else if (at === start) return start;
    else at--;
  }
  return length;
}

/** Appends the words with a capital or an underscore inside, in a run of letters, digits, underscores, dots and dashes. */
function addWordsWithin(
  units: Uint16Array,
  { start, end }: { readonly start: number; readonly end: number },
  bounds: number[],
): void {
  for (let at = start; at < end; at++) {
    const wordStart = at;
    while (at < end && KINDS[units[at]!]! & WORD) at++;
    if (at - wordStart < MIN_NAME_CHARS) continue;
    const nameStart = nameStartIn(units, wordStart, at);
    if (at - nameStart >= MIN_NAME_CHARS) bounds.push(nameStart, at);
  }
}

/** Where the name in a word starts, after leading digits; `wordEnd` if the word contains no name. */
function nameStartIn(units: Uint16Array, wordStart: number, wordEnd: number): number {
  let start = wordStart;
  let before = 0;
  for (let at = wordStart; at < wordEnd; at++) {
    const kinds = KINDS[units[at]!]!;
    if (before & (LOWER | DIGIT) && kinds & UPPER) return start;
    if (before & DIGIT) start = at;
    before = kinds;
  }
  return wordEnd;
}
