import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { turnCurves } from '../../../../src/cli/commands/replay/turn-curves.ts';
import type { Screen } from '../../../../src/cli/terminal/terminal.ts';

const screenOf = (isPlain: boolean): Screen => ({
  stream: process.stdout,
  colors: picocolors.createColors(false),
  allColumns: 80,
  columns: 80,
  isLive: false,
  isPlain,
  print: async () => {},
});

/** The curves of a session that grows by a hundred tokens a call and is compressed in some calls. */
function curvesOf(
  turns: number,
  { limit, compressedIn, isPlain = false }: { limit: number; compressedIn: readonly number[]; isPlain?: boolean },
) {
  const calls = Array.from({ length: turns }, (_, at) => {
    const turn = at + 1;
    const isCompressed = compressedIn.includes(turn);
    const call = { turn, entries: turn, gateMs: 1, stallMs: 0, isCompressed, isRefused: false };
    return { ...call, tokensRaw: turn * 100, tokens: isCompressed ? 100 : turn * 50 };
  });
  return turnCurves(calls, limit, screenOf(isPlain));
}

describe('the context over model calls, as curves of one line', () => {
  test.each([1, 5, 61, 1000])('of %i calls takes 80 columns at most', (turns) => {
    const lines = curvesOf(turns, { limit: 5_000, compressedIn: [turns] }).split('\n');
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => /^(raw|sent) /.test(line))).toHaveLength(2);
  });

  test('has a symbol below each compression, and explains its full height', () => {
    const drawn = curvesOf(8, { limit: 1_600, compressedIn: [4, 8] });
    expect(drawn).toContain('8 calls, full height is the window of 1,600 tokens');
    expect(drawn).toMatch(/^raw {3}▁▁▂▂▃▃▄▄ up to 800$/m);
    expect(drawn).toMatch(/^ {9}▲ {3}▲\n {6}▲ compressed$/m);
    expect(curvesOf(8, { limit: 400, compressedIn: [] })).toContain('full height is 800 tokens, the window is 400');
  });

  test('is sentences for a screen reader', () => {
    expect(curvesOf(20, { limit: 400, compressedIn: [7, 9], isPlain: true })).toBe(
      [
        '',
        'as recorded: 100 tokens in the first call, 2,000 tokens at most, in call 20, 2,000 tokens in the last',
        'sent: 50 tokens in the first call, 1,000 tokens at most, in call 20, 1,000 tokens in the last',
        'compressed in call 7, 9',
        '',
      ].join('\n'),
    );
  });

  test('is empty without calls', () => {
    expect(curvesOf(0, { limit: 1000, compressedIn: [] })).toBe('');
  });
});
