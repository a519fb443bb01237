import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonChange, JsonPath } from '../../../src/formats/json/json-change.ts';
import { spliceJson } from '../../../src/formats/json/json-splice.ts';
import { decode } from '../../../src/formats/lines/lines.ts';
import { runs } from '../../property-runs.ts';

const spliced = (text: string, ...changes: JsonChange[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(spliceJson(new TextEncoder().encode(text), changes));

describe('spliceJson', () => {
  test('changes a value and nothing around it', () => {
    const text = '\ufeff { "a" : 1.50 , "b":[ "x" , {"c" : "\\u00e9\\"" } ],\t"d":null }\r\n';
    expect(spliced(text, { kind: 'set', path: ['b', 1, 'c'], value: 'new "é"' })).toBe(
      '\ufeff { "a" : 1.50 , "b":[ "x" , {"c" : "new \\"é\\"" } ],\t"d":null }\r\n',
    );
    expect(spliced(text, { kind: 'set', path: ['a'], value: [] }, { kind: 'set', path: ['d'], value: 2 })).toBe(
      '\ufeff { "a" : [] , "b":[ "x" , {"c" : "\\u00e9\\"" } ],\t"d":2 }\r\n',
    );
  });

  test('removes members and elements with one comma each', () => {
    const list = '[ 1, 2 ,3 ]';
    const remove = (...indices: number[]): string =>
      spliced(list, ...indices.map((index): JsonChange => ({ kind: 'remove', path: [index] })));
    expect(remove(0)).toBe('[ 2 ,3 ]');
    expect(remove(1)).toBe('[ 1 ,3 ]');
    expect(remove(2)).toBe('[ 1, 2 ]');
    expect(remove(0, 2)).toBe('[ 2 ]');
    expect(remove(0, 1, 2)).toBe('[  ]');
    expect(spliced('{"a":1,\n "b":2}', { kind: 'remove', path: ['a'] })).toBe('{"b":2}');
  });

  test('adds a key that is absent and an element after the last', () => {
    expect(spliced('{}', { kind: 'set', path: ['a'], value: 1 })).toBe('{"a":1}');
    expect(spliced('{"a":1}', { kind: 'set', path: ['b'], value: 2 })).toBe('{"a":1,"b":2}');
    expect(spliced('[1 ]', { kind: 'set', path: [1], value: 2 })).toBe('[1,2 ]');
    expect(spliced('[]', { kind: 'set', path: [0], value: 2 })).toBe('[2]');
    expect(spliced('{"a":1}', { kind: 'remove', path: ['a'] }, { kind: 'set', path: ['b'], value: 2 })).toBe('{"b":2}');
  });

  const inserted = (text: string, path: JsonPath, ...insertions: [at: number, ...values: unknown[]][]): string =>
    spliced(
      text,
      ...insertions.map(([at, ...values]): JsonChange => ({ kind: 'insert', path: [...path, at], values })),
    );

  test('inserts elements before the ones they name, and leaves every other character unchanged', () => {
    expect(inserted('{ "a": [ 1.0 , {"é": 2} ],\n "b": 3 }', ['a'], [1, 'x', 'y'], [0, 'first'], [2, null])).toBe(
      '{ "a": [ "first",1.0,"x","y" , {"é": 2},null ],\n "b": 3 }',
    );
    expect(inserted('[]', [], [0, 1, 2])).toBe('[1,2]');
    expect(inserted('[1]', [])).toBe('[1]');
    expect(inserted('[1]', [], [1, 2], [1, 3])).toBe('[1,2,3]');
    expect(() => inserted('[1]', [], [2, 2])).toThrow(/\[2\]/);
    expect(() => spliced('{"a":1}', { kind: 'insert', path: ['a'], values: [2] })).toThrow(/"a"/);
  });

  test('inserts where elements go and change, in the places that the text has', () => {
    const remove: JsonChange = { kind: 'remove', path: [0] };
    expect(spliced('[1, 2]', remove, { kind: 'insert', path: [0], values: ['x'] })).toBe('["x", 2]');
    expect(spliced('[1, 2]', { kind: 'insert', path: [1], values: ['x'] }, remove)).toBe('["x", 2]');
    expect(spliced('[1, 2]', { kind: 'set', path: [1], value: 3 }, { kind: 'insert', path: [1], values: ['x'] })).toBe(
      '[1,"x", 3]',
    );
  });

  test('inserting equals splicing a list, for any list, places and removals', () => {
    const places = fc.uniqueArray(fc.nat(6), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }),
        places,
        places,
        fc.nat(3),
        (list, wanted, unwanted, space) => {
          const found = wanted.filter((at) => at <= list.length);
          const gone = unwanted.filter((at) => at < list.length);
          const expected = list.flatMap((value, at) => [
            ...(found.includes(at) ? [`new ${at}`] : []),
            ...(gone.includes(at) ? [] : [value]),
          ]);
          if (found.includes(list.length)) expected.push(`new ${list.length}`);
          const written = spliced(
            JSON.stringify({ list }, null, space),
            ...found.map((at): JsonChange => ({ kind: 'insert', path: ['list', at], values: [`new ${at}`] })),
            ...gone.map((at): JsonChange => ({ kind: 'remove', path: ['list', at] })),
          );
          expect(JSON.parse(written)).toEqual({ list: JSON.parse(JSON.stringify(expected)) });
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('means the last of equal keys, as every JSON reader does', () => {
    expect(spliced('{"a":1,"a":2}', { kind: 'set', path: ['a'], value: 3 })).toBe('{"a":1,"a":3}');
  });

  test('keeps bytes that are not UTF-8 where nothing changed', () => {
    const bytes = Uint8Array.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('","b":1}')]);
    const after = spliceJson(bytes, [{ kind: 'set', path: ['b'], value: 2 }]);
    expect([...after]).toEqual([...bytes].map((byte) => (byte === 0x31 ? 0x32 : byte)));
    const list = Uint8Array.from([0xef, 0xbb, 0xbf, ...Buffer.from('["'), 0xff, ...Buffer.from('"]')]);
    const longer = spliceJson(list, [{ kind: 'insert', path: [1], values: [2] }]);
    expect([...longer]).toEqual([...list.slice(0, -1), ...Buffer.from(',2]')]);
  });

  test('refuses a path that leads nowhere', () => {
    for (const path of [
      ['x', 'y'],
      ['a', 'b'],
      ['l', 5],
      ['l', 'k'],
    ])
      expect(() => spliced('{"a":1,"l":[]}', { kind: 'set', path, value: 1 })).toThrow(/\["/);
    expect(() => spliced('{"a":1}', { kind: 'remove', path: ['b'] })).toThrow(/"b"/);
  });

  test('sets and removes any value in any JSON', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
        fc.nat(),
        fc.jsonValue(),
        fc.constantFrom(undefined, 1, '\t'),
        (list, pick, value, indent) => {
          const index = pick % list.length;
          const text = JSON.stringify(list, undefined, indent);
          const keys = Object.keys(list[index] ?? {});
          const key = keys[pick % Math.max(1, keys.length)] ?? 'new';
          const expected = structuredClone(list);
          Object.defineProperty(expected[index], key, { value, enumerable: true, configurable: true, writable: true });
          const set: JsonChange = { kind: 'set', path: [index, key], value };
          const bytes = new TextEncoder().encode(text);
          expect(JSON.parse(decode(spliceJson(bytes, [set])))).toEqual(JSON.parse(JSON.stringify(expected)));
          const without = JSON.parse(decode(spliceJson(bytes, [{ kind: 'remove', path: [index] }])));
          expect(without).toEqual(JSON.parse(JSON.stringify(list.toSpliced(index, 1))));
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
