import { CHARACTER_CLASS, CLASS_OF_UNIT } from './character-class.ts';

const {
  space: SPACE,
  newline: NEWLINE,
  digit: DIGIT,
  upper: UPPER,
  both: BOTH,
  mark: MARK,
  surrogate: SURROGATE,
} = CHARACTER_CLASS;
const APOSTROPHE = 39;
const SLASH = 47;

/**
 * True if a cut between these two units changes no count, in both encodings and in any text. No piece contains both, and
 * no alternative of the patterns needs `next` to find the end of the piece of `last`: a line break is not followed by
 * white space or a slash; white space other than a line break follows another character; a digit is next to another
 * character (except white space before it); a letter ends its word (no letter, mark or apostrophe follows). Next to a
 * surrogate only white space is known. Source: test/tokens/exact/split-points.test.ts compares with `tiktoken`.
 */
function isSafeBetween(last: number, next: number): boolean {
  const lastClass = CLASS_OF_UNIT[last]!;
  const nextClass = CLASS_OF_UNIT[next]!;
  if (nextClass === SURROGATE) return false;
  const nextIsWhite = nextClass === SPACE || nextClass === NEWLINE;
  if (lastClass === NEWLINE) return !nextIsWhite && next !== SLASH;
  if (lastClass === SPACE) return false;
  if (nextClass === SPACE) return true;
  if (lastClass === SURROGATE) return false;
  if (lastClass === DIGIT) return nextClass !== DIGIT;
  if (nextClass === DIGIT) return true;
  const lastIsLetter = lastClass >= UPPER && lastClass <= BOTH;
  return lastIsLetter && (nextClass < UPPER || nextClass > MARK) && next !== APOSTROPHE;
}

/** The first index at or after `from`, and after 0, at which a cut changes no count; the length of the text if there is none. */
export function nextSafeCut(text: string, from: number): number {
  for (let at = Math.max(1, from); at < text.length; at++) {
    if (isSafeBetween(text.charCodeAt(at - 1), text.charCodeAt(at))) return at;
  }
  return text.length;
}

/**
 * The text in slices of at least `sliceUnits` (the last may be shorter), cut at safe points: the features of the slices
 * add up to those of the text. Real text has a safe point every few characters; only a run without one makes a slice longer.
 */
export function* sliceText(text: string, sliceUnits: number): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const end = nextSafeCut(text, start + sliceUnits);
    yield text.slice(start, end);
    start = end;
  }
}
