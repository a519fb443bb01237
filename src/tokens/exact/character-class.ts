import { CHARACTER_CLASS_RUNS } from './character-class-table.ts';

/** The classes of characters in pre-tokenizers. `both`: letters without case (Lm, Lo); `upper` includes title case. */
export const CHARACTER_CLASS = {
  other: 0,
  space: 1,
  newline: 2,
  digit: 3,
  upper: 4,
  lower: 5,
  both: 6,
  mark: 7,
  surrogate: 8,
} as const;

/** A bit that is set for characters of two UTF-16 units. */
export const WIDE_CHARACTER = 16;

const { other: OTHER, surrogate: SURROGATE } = CHARACTER_CLASS;
const FIRST_ASTRAL = 0x10000;
const CODE_POINTS = 0x110000;

/** The class of every code point, from runs written as `class | length << 4` in base-128 varints, low bits first. */
function decodeRuns(encoded: string): Uint8Array {
  const bytes = Buffer.from(encoded, 'base64');
  const classes = new Uint8Array(CODE_POINTS);
  let codePoint = 0;
  for (let at = 0; at < bytes.length; ) {
    let run = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[at++]!;
      run += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    const runEnd = codePoint + Math.floor(run / 16);
    if (run % 16 !== OTHER) classes.fill(run % 16, codePoint, runEnd);
    codePoint = runEnd;
  }
  return classes;
}

const classOfCodePoint = decodeRuns(CHARACTER_CLASS_RUNS);

/** The class of every UTF-16 unit; `surrogate` for halves of a pair, which `astralClass` resolves. */
export const CLASS_OF_UNIT: Uint8Array = classOfCodePoint.slice(0, FIRST_ASTRAL).fill(SURROGATE, 0xd800, 0xe000);

/** The class of the pair at `at`, with `WIDE_CHARACTER`; `other` for a lone half, which counts as U+FFFD. */
export function astralClass(units: Uint16Array, at: number, end: number): number {
  const high = units[at]!;
  const low = high < 0xdc00 && at + 1 < end ? units[at + 1]! : 0;
  if ((low & 0xfc00) !== 0xdc00) return OTHER;
  return classOfCodePoint[FIRST_ASTRAL + ((high & 0x3ff) << 10) + (low & 0x3ff)]! | WIDE_CHARACTER;
}
