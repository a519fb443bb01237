import { astralClass, CHARACTER_CLASS, CLASS_OF_UNIT, WIDE_CHARACTER } from './character-class.ts';
import { contractionEnd, digitsEnd, symbolsEnd, whiteSpaceEnd } from './runs.ts';

// Local constants: the compiler folds these into the loops; imported bindings are loaded each time.
const CLASS = CLASS_OF_UNIT;
const {
  other: OTHER,
  newline: NEWLINE,
  digit: DIGIT,
  upper: UPPER,
  both: BOTH,
  mark: MARK,
  surrogate: SURROGATE,
} = CHARACTER_CLASS;
const WIDE = WIDE_CHARACTER;
const NARROW_MASK = WIDE - 1;
const SPACE_UNIT = 32;
const APOSTROPHE = 39;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** `\p{L}*` */
function lettersEnd(units: Uint16Array, at: number, end: number): number {
  while (at < end) {
    let characterClass = CLASS[units[at]!]!;
    if (characterClass === SURROGATE) characterClass = astralClass(units, at, end);
    const narrow = characterClass & NARROW_MASK;
    if (narrow < UPPER || narrow > BOTH) break;
    at += characterClass & WIDE ? 2 : 1;
  }
  return at;
}

/** `[^\s\p{L}\p{N}]*[\r\n]*` */
function symbolsAndBreaksEnd(units: Uint16Array, start: number, end: number): number {
  let at = symbolsEnd(units, start, end);
  while (at < end && (units[at] === LINE_FEED || units[at] === CARRIAGE_RETURN)) at++;
  return at;
}

/**
 * The end of the first piece of `units[start, end)` under cl100k_base; `start < end`.
 * `~result` if units after `end` can change it; they can also change a result less than three units before `end`.
 * Source: the pattern of cl100k_base, `node_modules/tiktoken/encoders/cl100k_base.json`, matched by hand.
 */
export function cl100kPieceEnd(units: Uint16Array, start: number, end: number): number {
  const unit = units[start]!;
  let characterClass = CLASS[unit]!;
  if (characterClass === SURROGATE) characterClass = astralClass(units, start, end);
  const narrow = characterClass & NARROW_MASK;
  const next = characterClass & WIDE ? start + 2 : start + 1;
  if (narrow >= UPPER && narrow <= BOTH) return lettersEnd(units, next, end);
  if (narrow === DIGIT) return digitsEnd(units, next, end);
  if (narrow === NEWLINE) return whiteSpaceEnd(units, start, end);
  if (unit === APOSTROPHE) {
    const contraction = contractionEnd(units, start, end);
    if (contraction > start) return contraction;
  }
  if (next < end) {
    let following = CLASS[units[next]!]!;
    if (following === SURROGATE) following = astralClass(units, next, end);
    const narrowFollowing = following & NARROW_MASK;
    if (narrowFollowing >= UPPER && narrowFollowing <= BOTH) return lettersEnd(units, next, end);
    if (unit === SPACE_UNIT && (narrowFollowing === OTHER || narrowFollowing === MARK)) {
      return symbolsAndBreaksEnd(units, next, end);
    }
  }
  const isSymbol = narrow === OTHER || narrow === MARK;
  return isSymbol ? symbolsAndBreaksEnd(units, next, end) : whiteSpaceEnd(units, start, end);
}
