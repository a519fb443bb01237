import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertElements } from '../../src/formats/json-insert.ts';
import { decode } from '../../src/formats/lines.ts';

const inserted = (
  text: string,
  path: (string | number)[],
  ...insertions: [at: number, ...values: unknown[]][]
): string =>
  decode(
    insertElements(
      new TextEncoder().encode(text),
      path,
      insertions.map(([at, ...values]) => ({ at, values })),
    ),
  );

test('puts elements before the ones they name, and leaves every other character as it was', () => {
  expect(inserted('{ "a": [ 1.0 , {"é": 2} ],\n "b": 3 }', ['a'], [1, 'x', 'y'], [0, 'first'], [2, null])).toBe(
    '{ "a": ["first", 1.0,"x","y" , {"é": 2},null ],\n "b": 3 }',
  );
  expect(inserted('[]', [], [0, 1, 2])).toBe('[1,2]');
  expect(inserted('[1]', [])).toBe('[1]');
});

test('says what splicing a list says, whatever the list and the places', () => {
  const places = fc.uniqueArray(fc.nat(6), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }), places, fc.nat(3), (list, wanted, space) => {
      const found = wanted.filter((at) => at <= list.length);
      const expected = list.flatMap((value, at) => (found.includes(at) ? [`new ${at}`, value] : [value]));
      if (found.includes(list.length)) expected.push(`new ${list.length}`);
      const text = JSON.stringify({ list }, null, space);
      const written = inserted(text, ['list'], ...found.map((at): [number, string] => [at, `new ${at}`]));
      expect(JSON.parse(written)).toEqual({ list: JSON.parse(JSON.stringify(expected)) });
    }),
    { numRuns: 300 },
  );
});
