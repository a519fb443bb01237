import { describe, expect, test } from 'vitest';
import {
  astralClass,
  CHARACTER_CLASS,
  CLASS_OF_UNIT,
  WIDE_CHARACTER,
} from '../../../src/tokens/exact/character-class.ts';
import { CHARACTER_CLASS_RUNS, UNICODE_VERSION } from '../../../src/tokens/exact/character-class-table.ts';
import {
  assignableCodePoints,
  classesOfThisNode,
  classOfCodePoint,
  encodeRuns,
  kindOf,
  kindsSeenByTiktoken,
} from '../rebuild-classes.ts';

const { other, space, newline, digit, upper, lower, both, mark, surrogate } = CHARACTER_CLASS;

describe('CLASS_OF_UNIT', () => {
  test.each([
    ['a', lower],
    ['Z', upper],
    ['ǅ', upper],
    ['中', both],
    ['ʰ', both],
    ['\u0301', mark],
    ['7', digit],
    ['٣', digit],
    ['½', digit],
    [' ', space],
    ['\t', space],
    ['\u00a0', space],
    ['\n', newline],
    ['\r', newline],
    ['\ufeff', other],
    ['_', other],
    ['\ud83d', surrogate],
  ])('of %j', (character, expected) => {
    expect(CLASS_OF_UNIT[character.charCodeAt(0)]).toBe(expected);
  });

  test('resolves pairs, and treats a lone half as U+FFFD', () => {
    const classAt = (text: string): number => {
      const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
      return astralClass(units, 0, units.length);
    };
    expect(classAt('𝒳')).toBe(upper | WIDE_CHARACTER);
    expect(classAt('𝟘')).toBe(digit | WIDE_CHARACTER);
    expect(classAt('👍')).toBe(other | WIDE_CHARACTER);
    expect(classAt('\ud83d')).toBe(other);
    expect(classAt('\udc4d')).toBe(other);
  });
});

describe('the committed table', () => {
  const ofThisNode = classesOfThisNode();
  const kinds = kindsSeenByTiktoken(assignableCodePoints());

  test('agrees with tiktoken about every code point that may be assigned', () => {
    const wrong = [...kinds].filter(([codePoint, kind]) => {
      const committed = classOfCodePoint(codePoint);
      return committed !== space && kindOf(committed) !== kind;
    });
    expect(wrong.map(([codePoint]) => codePoint.toString(16))).toEqual([]);
  });

  test('agrees with the Unicode tables of this Node, except for characters that only one of the two knows', () => {
    const differences = [...kinds.keys()].filter((codePoint) => classOfCodePoint(codePoint) !== ofThisNode[codePoint]);
    const contradictions = differences.filter(
      (codePoint) => classOfCodePoint(codePoint) !== other && ofThisNode[codePoint] !== other,
    );
    console.log(
      `Unicode ${UNICODE_VERSION} in the table, ${process.versions.unicode} in Node: ${differences.length} characters differ`,
    );
    expect(contradictions.map((codePoint) => codePoint.toString(16))).toEqual([]);
    if (process.versions.unicode === UNICODE_VERSION) expect(differences).toEqual([]);
  });

  test.runIf(Number.parseFloat(process.versions.unicode ?? '0') >= Number.parseFloat(UNICODE_VERSION))(
    'is rebuilt from the tables of this Node, less what tiktoken does not know (needs a Node with Unicode 16 or later)',
    () => {
      const classes = ofThisNode.slice();
      for (const [codePoint, kind] of kinds) {
        const isLetterOrDigit = (classes[codePoint] ?? 0) >= digit;
        if (isLetterOrDigit && kind === 'other') classes[codePoint] = other;
      }
      expect(encodeRuns(classes)).toBe(CHARACTER_CLASS_RUNS.trim());
    },
  );
});
