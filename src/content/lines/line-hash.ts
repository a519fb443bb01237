import { MIN_LINE_CHARS } from './comparable-line.ts';
import { textUnits } from './text-units.ts';

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** The 32-bit hash of a line; two different lines collide once in four billion. Source: FNV-1a. */
export function lineHash(line: string): number {
  let hash = HASH_START;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), HASH_FACTOR);
  return hash | 0;
}

/** The hash of the units in [`from`, `to`); `start` is the hash of the text before them. */
export function unitsHash(units: Uint16Array, from: number, to: number, start = HASH_START): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ units[at]!, HASH_FACTOR);
  return hash | 0;
}

/** `lineHash` of each of the `comparableLines` of these texts, in order. Linear; copies no line. */
export function lineHashes(texts: readonly string[]): number[] {
  const hashes: number[] = [];
  for (const text of texts) addLineHashes(textUnits(text), text.length, hashes);
  return hashes;
}

function addLineHashes(units: Uint16Array, length: number, hashes: number[]): void {
  for (let start = 0; start <= length; ) {
    let end = start;
    while (end < length && units[end] !== NEWLINE) end++;
    const hash = lineHashBetween(units, start, end);
    if (hash !== undefined) hashes.push(hash);
    start = end + 1;
  }
}

/** `lineHash` of the `comparableLine` at [`start`, `lineEnd`) of a text as `textUnits`; `undefined` if that line is ''. */
export function lineHashBetween(units: Uint16Array, start: number, lineEnd: number): number | undefined {
  let end = lineEnd;
  while (end > start && isBlank(units[end - 1]!)) end--;
  const first = afterBlanks(units, start, end);
  const plain = end - first < MIN_LINE_CHARS ? end : afterLineNumber(units, first, end);
  return end - plain < MIN_LINE_CHARS ? undefined : unitsHash(units, plain, end);
}

const TAB = 9;
const NEWLINE = 10;
const COLON = 58;
const LETTER_L = 76;
const BAR = 124;
const ARROW = 0x2192;

/** By unit: 1 for what `trim` removes. */
const BLANK = new Uint8Array(1 << 16);
const BLANKS = '\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff';
for (let at = 0; at < BLANKS.length; at++) BLANK[BLANKS.charCodeAt(at)] = 1;
BLANK.fill(1, 0x2000, 0x200b);

/** True for what `trim` removes. */
export const isBlank = (unit: number): boolean => BLANK[unit] === 1;

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** The first unit in [`start`, `end`) that is not blank; `end` if all are. */
export function afterBlanks(units: Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(units[at]!)) at++;
  return at;
}

/** Where the text after a line number and blanks begins, as `comparableLine` finds it; `start` if there is no number. */
function afterLineNumber(units: Uint16Array, start: number, end: number): number {
  const digits = units[start] === LETTER_L ? start + 1 : start;
  let at = digits;
  while (at < end && isDigit(units[at]!)) at++;
  if (at === digits || at === end) return start;
  const separator = units[at]!;
  if (separator === ARROW || separator === TAB || separator === COLON || separator === BAR) at++;
  else if (at + 1 < end && units[at + 1] === BAR && isBlank(separator)) at += 2;
  else return start;
  return afterBlanks(units, at, end);
}
