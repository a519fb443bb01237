import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { cutJson, wholeJson } from '../../../src/formats/json/cut-json.ts';

describe('JSON that is whole', () => {
  test('is its value, and nothing if it is cut, continues or is no object or list', () => {
    expect(wholeJson(' {"a":[1]}\n')).toEqual({ a: [1] });
    for (const text of ['', '{"a":1', '{"a":1}\n{"b":2}', '{]', '"a"', '12', '# A heading']) {
      expect(wholeJson(text)).toBeUndefined();
    }
  });
});

describe('JSON that is cut', () => {
  test('closes what is open, with the complete part of a string value', () => {
    expect(cutJson(' {"a": [1, {"b": "c')).toEqual({ a: [1, { b: 'c' }] });
    expect(cutJson('{"a":{"b":[]},"c":"one {[,\\"two\\')).toEqual({ a: { b: [] }, c: 'one {[,"two' });
    expect(cutJson('{"a":"\\u00e9\\u00')).toEqual({ a: 'é' });
    expect(cutJson('{"a":"\\\\')).toEqual({ a: '\\' });
    expect(cutJson('# A heading')).toBeUndefined();
  });

  test('may have a string of any length, with as many escapes', () => {
    const lines = 12_000_000;
    expect(cutJson(`{"a":"${'\\n'.repeat(lines)}`)).toEqual({ a: '\n'.repeat(lines) });
  });

  test('has no name without a value, and no half of a number or a word', () => {
    for (const end of [',', ',"b', ',"b"', ',"b":', ',"b":tr', ',"b":-']) {
      expect(cutJson(`[{"a":1${end}`)).toEqual([{ a: 1 }]);
    }
  });

  test('is read in spite of errors before the cut', () => {
    expect(cutJson('{"a":1,,"b":"c')).toEqual({ a: 1, b: 'c' });
    expect(cutJson('{"a":1}\n}\n')).toEqual({ a: 1 });
  });

  test('is wherever it is cut what a parser that forgives makes of it', () => {
    const strings = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', ':', '\n', 'é') });
    const value = fc.letrec((tie) => ({
      value: fc.oneof(strings, fc.boolean(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(strings, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(fc.oneof(value.list, value.object), fc.nat(2), fc.nat(), (whole, indent, place) => {
        const text = JSON.stringify(whole, null, indent);
        const head = text.slice(0, 1 + (place % text.length));
        expect(cutJson(head)).toEqual(parse(head, [], { disallowComments: true }));
      }),
    );
  });
});
