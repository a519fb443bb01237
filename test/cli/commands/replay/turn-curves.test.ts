import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { TurnCurves } from '../../../../src/cli/commands/replay/turn-curves.ts';
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

/** A session that grows by a hundred tokens a call and is compressed in some calls. */
function curvesOf(turns: number, { limit, compressedIn }: { limit: number; compressedIn: readonly number[] }) {
  const curves = new TurnCurves(limit);
  for (let turn = 1; turn <= turns; turn++) {
    const isCompressed = compressedIn.includes(turn);
    const call = { turn, entries: turn, gateMs: 1, stallMs: 0, isCompressed, isRefused: false };
    curves.add({ ...call, tokensRaw: turn * 100, tokens: isCompressed ? 100 : turn * 50 });
  }
  return curves;
}

describe('the context over model calls, as curves of one line', () => {
  test.each([1, 5, 61, 1000])('of %i calls takes 80 columns at most', (turns) => {
    const lines = curvesOf(turns, { limit: 5_000, compressedIn: [turns] })
      .drawn(screenOf(false))
      .split('\n');
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => /^(raw|sent) /.test(line))).toHaveLength(2);
  });

  test('has a symbol below each compression, and explains its full height', () => {
    const drawn = curvesOf(8, { limit: 1_600, compressedIn: [4, 8] }).drawn(screenOf(false));
    expect(drawn).toContain('8 calls, full height is the window of 1,600 tokens');
    expect(drawn).toMatch(/^raw {3}▁▁▂▂▃▃▄▄ up to 800$/m);
    expect(drawn).toMatch(/^ {9}▲ {3}▲\n {6}▲ compressed$/m);
    expect(curvesOf(8, { limit: 400, compressedIn: [] }).drawn(screenOf(false))).toContain(
      'full height is 800 tokens, the window is 400',
    );
  });

  test('is sentences for a screen reader', () => {
    expect(curvesOf(20, { limit: 400, compressedIn: [7, 9] }).drawn(screenOf(true))).toBe(
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
    expect(new TurnCurves(1000).drawn(screenOf(false))).toBe('');
  });
});
