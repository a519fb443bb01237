import { describe, expect, test } from 'vitest';
import { isDeepJson } from '../../src/content/deep-json.ts';
import { jsonOf } from '../../src/content/foreign-value.ts';
import { cutJson } from '../../src/formats/json/cut-json.ts';
import { parseJson } from '../../src/formats/lines/lines.ts';

const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;

describe('JSON that is nested', () => {
  test('is read up to a thousand levels, and JavaScript can write it again', () => {
    expect(isDeepJson(nested(1000))).toBe(false);
    expect(JSON.stringify(jsonOf(nested(1000)))).toBe(nested(1000));
    for (const levels of [1002, 3000, 1_000_000]) expect(isDeepJson(nested(levels))).toBe(true);
  });

  test('deeper is not read, and the reason says so', () => {
    expect(jsonOf(nested(3000))).toBeUndefined();
    expect(parseJson(nested(3000))).toEqual({ kind: 'broken', reason: 'nested more than 1000 levels deep' });
    expect(cutJson(nested(1_000_000))).toBeUndefined();
  });

  test('counts no brackets within a string, nor those that are closed', () => {
    expect(isDeepJson(JSON.stringify({ a: '{['.repeat(5000), b: '\\"{'.repeat(5000), c: '\\' }))).toBe(false);
    expect(isDeepJson(JSON.stringify(Array(5000).fill({ a: [] })))).toBe(false);
  });
});
