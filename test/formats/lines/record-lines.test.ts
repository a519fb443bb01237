import { describe, expect, test } from 'vitest';
import { decode, linesOfText } from '../../../src/formats/lines/lines.ts';
import { recordLines } from '../../../src/formats/lines/record-lines.ts';

const cut = (text: string): string[] => [...recordLines(linesOfText(text))].map(({ bytes }) => decode(bytes));

describe('recordLines', () => {
  test.each([
    ['whole lines', '{"a":1}\n\n{"b":2}', ['{"a":1}\n', '\n', '{"b":2}']],
    ['two records', '{"a":"}{"}{"b":"\\"{"}\n', ['{"a":"}{"}\n', '{"b":"\\"{"}\n']],
    ['blanks between records', '{"a":1} \0{"b":2}\0', ['{"a":1}\n', '{"b":2}']],
    ['a record behind one that is cut', '{"a":"x{"b":{"c":[{}]}}\n', ['{"a":"x\n', '{"b":{"c":[{}]}}\n']],
    ['a cut text that ends in a comma', '{"a":"so, {"b":1}', ['{"a":"so, \n', '{"b":1}']],
    [
      'records on both sides of a cut one',
      '{"a":1}{"b":{"c":2{"d":3}{"e":4}',
      ['{"a":1}\n', '{"b":{"c":2\n', '{"d":3}\n', '{"e":4}'],
    ],
    ['a record before one that is cut', '{"a":1}{"b":"x', ['{"a":1}\n', '{"b":"x']],
    ['NUL bytes only', '\0\0\n', ['\0\0\n']],
    ['an escaped quote at the cut', '{"a":"x\\\\{"b":"\\\\\\""}', ['{"a":"x\\\\\n', '{"b":"\\\\\\""}']],
  ])('cuts %s', (_, text, lines) => {
    expect(cut(text)).toEqual(lines);
  });

  test.each([
    ['an inner object', '{"a":[{"b":1},{"c":2}'],
    ['an inner object behind spaces', '{"a": {"b":1}'],
    ['an object with a wrong value', '{"a":x}'],
    ['a list', '[1]{"a":x}'],
    ['the end of a record', 'x","a":{"b":1}}'],
    ['prose', 'so {"a"} and {b}'],
  ])('takes no record from %s', (_, text) => {
    expect(cut(text)).toEqual([text]);
  });
});
