import { astralClass, CHARACTER_CLASS, CLASS_OF_UNIT, WIDE_CHARACTER } from './character-class.ts';

// Local constants: the compiler folds these into the loops; imported bindings are loaded each time.
const CLASS = CLASS_OF_UNIT;
const {
  other: OTHER,
  space: SPACE,
  newline: NEWLINE,
  digit: DIGIT,
  mark: MARK,
  surrogate: SURROGATE,
} = CHARACTER_CLASS;
const WIDE = WIDE_CHARACTER;
const NARROW_MASK = WIDE - 1;

const APOSTROPHE = 39;
/** `ſ`, which is an `s` in Unicode's case folding. */
const LONG_S = 0x17f;
const D = 100;
const E = 101;
const L = 108;
const M = 109;
const R = 114;
const S = 115;
const T = 116;
const V = 118;

/** The end of the English contraction (`'s 't 're 've 'm 'll 'd`, any case) that starts at `at`; `at` if there is none. */
export function contractionEnd(units: Uint16Array, at: number, end: number): number {
  if (at + 1 >= end || units[at] !== APOSTROPHE) return at;
  const unit = units[at + 1]!;
  if (unit >= 128) return unit === LONG_S ? at + 2 : at;
  const first = unit | 32;
  if (first === S || first === T || first === M || first === D) return at + 2;
  if (at + 2 >= end || units[at + 2]! >= 128) return at;
  const second = units[at + 2]! | 32;
  const isLong = (first === R && second === E) || (first === V && second === E) || (first === L && second === L);
  return isLong ? at + 3 : at;
}

/** The end of at most three digits from `start`; the first digit ends at `at`: `\p{N}{1,3}`. */
export function digitsEnd(units: Uint16Array, at: number, end: number): number {
  for (let digits = 1; digits < 3 && at < end; digits++) {
    let characterClass = CLASS[units[at]!]!;
    if (characterClass === SURROGATE) characterClass = astralClass(units, at, end);
    if ((characterClass & NARROW_MASK) !== DIGIT) break;
    at += characterClass & WIDE ? 2 : 1;
  }
  return at;
}

/** The end of a run of characters that are neither white space nor letters nor digits: `[^\s\p{L}\p{N}]*`. */
export function symbolsEnd(units: Uint16Array, at: number, end: number): number {
  while (at < end) {
    let characterClass = CLASS[units[at]!]!;
    if (characterClass === SURROGATE) characterClass = astralClass(units, at, end);
    const narrow = characterClass & NARROW_MASK;
    if (narrow !== OTHER && narrow !== MARK) break;
    at += characterClass & WIDE ? 2 : 1;
  }
  return at;
}

/**
 * The end of the white space from `start`: after its last line break, or else before the last character if a word follows,
 * `\s*[\r\n]+|\s+(?!\S)|\s+`. `~result` if units after `end` can change it.
 */
export function whiteSpaceEnd(units: Uint16Array, start: number, end: number): number {
  let at = start;
  let lastBreakEnd = -1;
  for (; at < end; at++) {
    const characterClass = CLASS[units[at]!]!;
    if (characterClass === NEWLINE) lastBreakEnd = at + 1;
    else if (characterClass !== SPACE) break;
  }
  if (lastBreakEnd >= 0) return at === end ? ~lastBreakEnd : lastBreakEnd;
  if (at === end) return ~at;
  return at - start === 1 ? at : at - 1;
}
