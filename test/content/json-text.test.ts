import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../src/content/json-text.ts';

const textOf = (value: unknown): string => [...jsonText(value)].join('');

describe('jsonText', () => {
  test('is JSON where JSON exists, a string as it is, nothing for undefined', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(textOf(value)).toBe(typeof value === 'string' ? value : JSON.stringify(value));
      }),
    );
    expect(textOf(undefined)).toBe('');
    expect(textOf(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
  });

  test('writes a value that contains itself once', () => {
    const value: Record<string, unknown> = { name: 'x', list: [1] };
    value['self'] = value;
    (value['list'] as unknown[]).push(value);
    expect(textOf(value)).toBe('{"name":"x","list":[1,"…"],"self":"…"}');
  });

  test('writes parts that are shared many times once, not 2^60 times', () => {
    let value: unknown = 'leaf';
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(textOf(value).length).toBeLessThan(1000);
  });

  test('writes values that are nested deeper than the stack allows', () => {
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level++) value = [value];
    expect(textOf(value)).toBe(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  });

  test('writes what can be read of a value that JSON rejects', () => {
    expect(textOf(12n)).toBe('12');
    expect(textOf({ count: 12n, of: [undefined, () => 1, Symbol('s')] })).toBe('{"count":12,"of":[null,null,null]}');
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('closed');
        },
      },
    );
    expect(textOf(hostile)).toBe('{}');
    expect(textOf({ before: 1, hostile, after: 2 })).toBe('{"before":1,"hostile":{},"after":2}');
    const throwing = {
      kept: 'yes',
      toJSON() {
        throw new Error('no');
      },
    };
    expect(textOf(throwing)).toBe('{"kept":"yes","toJSON":null}');
  });

  test('writes a value with a million parts in several texts', () => {
    const value = { rows: Array.from({ length: 400_000 }, (_, at) => at) };
    const parts = [...jsonText(value)];
    expect(parts.join('')).toBe(JSON.stringify(value));
    expect(parts.length).toBeGreaterThan(1);
  });
});
