import { get_encoding } from 'tiktoken';
import { astralClass, CLASS_OF_UNIT, WIDE_CHARACTER } from '../../src/tokens/exact/character-class.ts';

const CODE_POINTS = 0x110000;
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[\p{Lu}\p{Lt}]+/gu, 4],
  [/\p{Ll}+/gu, 5],
  [/[\p{Lm}\p{Lo}]+/gu, 6],
  [/\p{M}+/gu, 7],
  [/\p{N}+/gu, 3],
  [/\p{White_Space}+/gu, 1],
];

/** The class of every code point in the Unicode tables of this Node; surrogates are `other`. */
export function classesOfThisNode(): Uint8Array {
  const classes = new Uint8Array(CODE_POINTS);
  for (let first = 0; first < CODE_POINTS; first += 0x1000) {
    if (first >= 0xd800 && first < 0xe000) continue;
    let text = '';
    const last = Math.min(first + 0x1000, first < 0xd800 ? 0xd800 : CODE_POINTS);
    for (let codePoint = first; codePoint < last; codePoint++) text += String.fromCodePoint(codePoint);
    const unitsPerCharacter = first >= 0x10000 ? 2 : 1;
    for (const [pattern, value] of CLASSES) {
      for (const match of text.matchAll(pattern)) {
        const from = first + match.index / unitsPerCharacter;
        classes.fill(value, from, from + match[0].length / unitsPerCharacter);
      }
    }
  }
  classes[10] = 2;
  classes[13] = 2;
  return classes;
}

/** The kinds of characters that `tiktoken` counts differently. */
export type Kind = 'letter or mark' | 'digit' | 'other';

/** The kind of each code point in `tiktoken`, found by its effect on the count of its neighbours. */
export function kindsSeenByTiktoken(codePoints: Iterable<number>): Map<number, Kind> {
  const encoding = get_encoding('o200k_base');
  const tokens = (text: string): number => encoding.encode_ordinary(text).length;
  const kinds = new Map<number, Kind>();
  for (const codePoint of codePoints) {
    const character = String.fromCodePoint(codePoint);
    const own = tokens(character);
    // A digit joins `1` and `23` into `1?2` and `3`; a letter or a mark keeps `'s` whole, anything else takes its quote.
    if (tokens(`1${character}23`) - own === 3) kinds.set(codePoint, 'digit');
    else kinds.set(codePoint, tokens(`${character}'s`) - own === 1 ? 'letter or mark' : 'other');
  }
  encoding.free();
  return kinds;
}

/** The kind of a class. White space is not tested: it has the same effect as a letter. */
export function kindOf(characterClass: number): Kind {
  if (characterClass === 3) return 'digit';
  return characterClass >= 4 ? 'letter or mark' : 'other';
}

/** Assigned planes without ASCII and private use: every code point whose class differs between versions of Unicode. */
export function* assignableCodePoints(): Generator<number> {
  for (let codePoint = 0x80; codePoint < CODE_POINTS; codePoint++) {
    const isSurrogate = codePoint >= 0xd800 && codePoint < 0xe000;
    const isPrivate = (codePoint >= 0xe000 && codePoint < 0xf900) || codePoint >= 0xe1000;
    const isEmptyPlane = codePoint >= 0x40000 && codePoint < 0xe0000;
    if (!isSurrogate && !isPrivate && !isEmptyPlane) yield codePoint;
  }
}

/** The run-length form in `src/tokens/exact/character-class-table.ts`, in lines of 110 characters. */
export function encodeRuns(classes: Uint8Array): string {
  const bytes: number[] = [];
  for (let first = 0; first < classes.length; ) {
    let last = first;
    while (last < classes.length && classes[last] === classes[first]) last++;
    let run = (last - first) * 16 + (classes[first] as number);
    for (; run >= 128; run = Math.floor(run / 128)) bytes.push((run % 128) | 128);
    bytes.push(run);
    first = last;
  }
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/.{110}/g, '$&\n');
}

/** The class of a code point in the committed table. */
export function classOfCodePoint(codePoint: number): number {
  const text = String.fromCodePoint(codePoint);
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.length === 1 ? (CLASS_OF_UNIT[codePoint] as number) : astralClass(units, 0, 2) & (WIDE_CHARACTER - 1);
}
