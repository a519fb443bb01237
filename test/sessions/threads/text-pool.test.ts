import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextPool, unpacker } from '../../../src/sessions/threads/text-pool.ts';
import { runs } from '../../property-runs.ts';

/** The value as received on another thread. */
function crossed(values: readonly unknown[]): unknown[] {
  const pool = new TextPool();
  const packed = values.map((value) => pool.pack(value));
  const { values: there, texts } = structuredClone({ values: packed, texts: pool.texts() });
  const unpack = unpacker(texts);
  return there.map(unpack);
}

describe('texts that cross in a pool', () => {
  test('arrive as they were, of one and of two bytes, with lone surrogates, NUL and combining marks', () => {
    const long = (text: string): string => text.repeat(Math.ceil(100 / text.length));
    const values = ['a', 'é', 'ÿ\u0000', '\ufeff', '漢字', '😀', '\ud83d', 'x\udc00'].map((text) => ({
      short: text,
      long: long(text),
      list: [long(text), [{ deep: long(`${text}!`) }], null, 1.5, true],
    }));
    expect(crossed(values)).toEqual(values);
    expect(crossed([long('alone'), '', null, []])).toEqual([long('alone'), '', null, []]);
  });

  test('are what they were for any JSON', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ minLength: 60, maxLength: 400 }));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 8 }), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (values) => {
        expect(crossed(values)).toEqual(values);
      }),
      { numRuns: runs(300) },
    );
  });

  test('leave what was packed as it was', () => {
    const value = { text: 'x'.repeat(100) };
    new TextPool().pack(value);
    expect(value).toEqual({ text: 'x'.repeat(100) });
  });
});
