import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fittingText } from '../../../src/strategies/summarizing/fitting.ts';
import { PIECE_KINDS, type Piece, type PieceKind } from '../../../src/strategies/summarizing/rendering.ts';

const countTokens = async (text: string): Promise<number> => Math.ceil(text.length / 4);
const piece = (kind: PieceKind, name: string): Piece => ({
  kind,
  text: `${name} ${'x'.repeat(400)}`,
  short: `${name}…`,
});
const fitted = (pieces: readonly Piece[], limitTokens: number): Promise<string> =>
  fittingText(pieces, { limitTokens, countTokens });

const OLD_TO_NEW = [
  piece('words', 'ask'),
  piece('result', 'old'),
  piece('call', 'call'),
  piece('result', 'new'),
  piece('answer', 'answer'),
];

describe('a conversation that is too long for the summariser', () => {
  test('is whole when it fits', async () => {
    expect(await fitted(OLD_TO_NEW, 1000)).toBe(OLD_TO_NEW.map(({ text }) => text).join('\n\n'));
  });

  test('is shortened from the oldest tool output, the user’s words last (docs/readings.md, row 21)', async () => {
    const shortIn = async (limitTokens: number): Promise<string[]> => {
      const text = await fitted(OLD_TO_NEW, limitTokens);
      return ['ask', 'old', 'call', 'new', 'answer'].filter((name) => text.includes(`${name}…`));
    };
    expect(await shortIn(500)).toEqual(['old']);
    expect(await shortIn(400)).toEqual(['old', 'new']);
    expect(await shortIn(300)).toEqual(['old', 'call', 'new']);
    expect(await shortIn(200)).toEqual(['old', 'call', 'new', 'answer']);
    expect(await shortIn(40)).toEqual(['ask', 'old', 'call', 'new', 'answer']);
  });

  test('says how much is left out when even that is too much', async () => {
    const many = Array.from({ length: 50 }, (_, at) => piece('result', `r${at}`));
    const text = await fitted(many, 60);
    expect(text).toMatch(/^\[\d+ earlier parts of the conversation left out/);
    expect(text).toContain('r49…');
    expect(text).not.toContain('r0…');
  });

  test('fits, whatever it is made of', async () => {
    const arbitrary = fc.record({ kind: fc.constantFrom(...PIECE_KINDS), text: fc.string({ maxLength: 600 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitrary, { maxLength: 40 }),
        fc.integer({ min: 0, max: 2000 }),
        async (drawn, limit) => {
          const pieces = drawn.map(({ kind, text }) => ({ kind, text, short: text.slice(0, 20) }));
          expect(await countTokens(await fitted(pieces, limit))).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});
