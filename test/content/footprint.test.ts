import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { footprint, textBytes } from '../../src/content/footprint.ts';
import { generatedHistory } from '../generated-history.ts';
import { deepValue, oddValue } from '../offload/odd-values.ts';
import { runs } from '../property-runs.ts';

describe('footprint', () => {
  test('a text with a character beyond Latin-1 takes two bytes per unit', () => {
    expect(textBytes('naïve')).toBe(5);
    expect(textBytes('naïve 字')).toBe(14);
    expect(textBytes(`${'x'.repeat(70_000)}`)).toBe(70_000);
  });

  test('counts each object once and grows with the text', () => {
    const part = { text: 'x'.repeat(1000) };
    const once = footprint([part]).bytes;
    expect(footprint([part, part]).bytes).toBe(once);
    expect(footprint([part, { ...part }]).bytes).toBeGreaterThan(once + 1000);
    const loop: { self?: object } = {};
    loop.self = loop;
    expect(footprint(loop)).toEqual({ bytes: expect.any(Number), isPlain: true });
  });

  test('functions, symbols, proxies, instances, getters that throw and great depth are not plain', () => {
    const notPlain = [
      () => 1,
      Symbol('s'),
      { call: () => 1 },
      new Date(),
      new Map(),
      Buffer.from('x'),
      new Proxy({}, {}),
      deepValue(600),
      deepValue(100_000),
      {
        get broken(): never {
          throw new Error('unreadable');
        },
      },
    ];
    expect(notPlain.map((value) => footprint(value).isPlain)).toEqual(notPlain.map(() => false));
    const plain = ['x', 1, 1n, null, undefined, Number.NaN, { a: [1, { b: 2 }] }, Object.create(null), deepValue(100)];
    expect(plain.map((value) => footprint(value).isPlain)).toEqual(plain.map(() => true));
  });

  test('never throws, and JSON writes a plain value and its structured clone alike', () => {
    fc.assert(
      fc.property(fc.oneof(oddValue, fc.anything(), generatedHistory()), (value) => {
        const { isPlain } = footprint(value);
        if (!isPlain) return;
        const clone = structuredClone(value);
        expect(footprint(clone).isPlain).toBe(true);
        expect(text(clone)).toBe(text(value));
      }),
      { numRuns: runs(1000) },
    );
  });
});

function text(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
