import { astralClass, CHARACTER_CLASS, CLASS_OF_UNIT, WIDE_CHARACTER } from './character-class.ts';
import { contractionEnd, digitsEnd, symbolsEnd, whiteSpaceEnd } from './runs.ts';

// Local constants: the compiler folds these into the loops below, imported bindings are loaded each time.
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

const [SPACE_UNIT, SLASH, LINE_FEED, CARRIAGE_RETURN] = [32, 47, 10, 13] as const;

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
 * The end of the word whose letters start at `start`, contraction included; `start` where no word starts.
 * With `needsLower` upper-case letters alone are no word. `~result` when units after `end` may change it.
 */
function wordEnd(units: Uint16Array, start: number, end: number, needsLower: boolean): number {
  let at = start;
  let characterClass = OTHER as number;
  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*, remembering where the last one that also counts as lower case ends
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
 * `~result` when units after `end` may change it; without that, so does a result less than three units before `end`.
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
    // A mark leads a word or, before capitals alone and anything else, is one.
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
