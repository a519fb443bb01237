import { astralClass, CHARACTER_CLASS, CLASS_OF_UNIT, WIDE_CHARACTER } from './character-class.ts';
import { contractionEnd, digitsEnd, symbolsEnd, whiteSpaceEnd } from './runs.ts';

// Local constants: the compiler folds these into the loops; imported bindings are loaded each time.
const CLASS = CLASS_OF_UNIT;
const {
  other: OTHER,
  newline: NEWLINE,
  digit: DIGIT,
  upper: UPPER,
  lower: LOWER,
  both: BOTH,
  mark: MARK,
  surrogate: SURROGATE,
} = CHARACTER_CLASS;
const WIDE = WIDE_CHARACTER;
const NARROW_MASK = WIDE - 1;

const SPACE_UNIT = 32;
const SLASH = 47;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** `[^\s\p{L}\p{N}]*[\r\n/]*` */
function symbolsAndBreaksEnd(units: Uint16Array, start: number, end: number): number {
  let at = symbolsEnd(units, start, end);
  for (; at < end; at++) {
    const unit = units[at]!;
    if (unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== SLASH) break;
  }
  return at;
}

/**
 * The end of the word whose letters start at `start`, with its contraction; `start` if no word starts there.
 * `needsLower`: upper-case letters alone are not a word. `~result` if units after `end` can change it.
 */
function wordEnd(units: Uint16Array, start: number, end: number, needsLower: boolean): number {
  let at = start;
  let characterClass = OTHER as number;
  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*, and the end of the last one that also counts as lower case
  let lastBothEnd = start;
  while (at < end) {
    characterClass = CLASS[units[at]!]!;
    if (characterClass === UPPER) {
      at++;
      continue;
    }
    if (characterClass === SURROGATE) characterClass = astralClass(units, at, end);
    const narrow = characterClass & NARROW_MASK;
    if (narrow === UPPER) at += 2;
    else if (narrow === BOTH || narrow === MARK) {
      at += characterClass & WIDE ? 2 : 1;
      lastBothEnd = at;
    } else break;
  }
  if (at < end && (characterClass & NARROW_MASK) === LOWER) {
    // [\p{Ll}\p{Lm}\p{Lo}\p{M}]+
    at += characterClass & WIDE ? 2 : 1;
    while (at < end) {
      characterClass = CLASS[units[at]!]!;
      if (characterClass === LOWER) {
        at++;
        continue;
      }
      if (characterClass === SURROGATE) characterClass = astralClass(units, at, end);
      const narrow = characterClass & NARROW_MASK;
      if (narrow !== LOWER && narrow !== BOTH && narrow !== MARK) break;
      at += characterClass & WIDE ? 2 : 1;
    }
    return contractionEnd(units, at, end);
  }
  let wordEndsAt = at;
  if (lastBothEnd > start) wordEndsAt = lastBothEnd;
  else if (needsLower) wordEndsAt = start;
  if (wordEndsAt > start) wordEndsAt = contractionEnd(units, wordEndsAt, end);
  return at >= end ? ~wordEndsAt : wordEndsAt;
}

/**
 * The end of the first piece of `units[start, end)` under o200k_base; `start < end`.
 * `~result` if units after `end` can change it; they can also change a result less than three units before `end`.
 * Source: the pattern of o200k_base, `node_modules/tiktoken/encoders/o200k_base.json`, matched by hand.
 */
export function o200kPieceEnd(units: Uint16Array, start: number, end: number): number {
  const unit = units[start]!;
  let characterClass = CLASS[unit]!;
  if (characterClass === SURROGATE) characterClass = astralClass(units, start, end);
  const narrow = characterClass & NARROW_MASK;
  if (narrow === LOWER || narrow === UPPER || narrow === BOTH) return wordEnd(units, start, end, false);
  const next = characterClass & WIDE ? start + 2 : start + 1;
  if (narrow === DIGIT) return digitsEnd(units, next, end);
  if (narrow === NEWLINE) return whiteSpaceEnd(units, start, end);
  if (narrow === MARK) {
    // A mark (\p{M}) starts a word; before capitals alone, or anything else, it is one.
    const word = wordEnd(units, next, end, true);
    if (word !== next && word !== ~next) return word;
    const whole = contractionEnd(units, next, end);
    return word === next ? whole : ~whole;
  }
  if (next < end) {
    let following = CLASS[units[next]!]!;
    if (following === SURROGATE) following = astralClass(units, next, end);
    if ((following & NARROW_MASK) >= UPPER) return wordEnd(units, next, end, false);
    if (unit === SPACE_UNIT && (following & NARROW_MASK) === OTHER) return symbolsAndBreaksEnd(units, next, end);
  }
  return narrow === OTHER ? symbolsAndBreaksEnd(units, next, end) : whiteSpaceEnd(units, start, end);
}
