import { expect, test } from 'vitest';
import { CauseSavings } from '../../../src/lab/played/cause-savings.ts';
import type { ContextMove } from '../../../src/replay/context-move.ts';

const move = (cause: 'cold' | 'pays'): ContextMove => ({
  kind: 'optimized',
  event: 1,
  turn: 1,
  changes: [],
  decision: { cause },
});
const call = (tokensRaw: number, tokens: number, dollarsRaw: number, dollars: number) => ({
  tokensRaw,
  tokens,
  dollarsRaw,
  dollars,
  inputDollarsRaw: dollarsRaw,
});

test('a call that costs less credits each cause by the tokens that it removed; a rewritten cache belongs to its cause', () => {
  const savings = new CauseSavings();
  savings.move(move('cold'), 300);
  savings.call(call(1000, 700, 10, 7));
  savings.move(move('pays'), 100);
  // 400 of 1,000 tokens are missing, worth 4 of 10 dollars; the changed prefix makes the call cost 12.
  savings.call(call(1000, 600, 10, 12));
  savings.call(call(1000, 600, 10, 6));
  expect(savings.all).toEqual({
    cold: { moves: 1, tokens: 300 + 300 + 300, dollars: 3 + 3 + 3 },
    pays: { moves: 1, tokens: 100 + 100, dollars: 1 - 6 + 1 },
  });
});

test('a call that is billed elsewhere saves nothing, but what it lacks is missing from later ones', () => {
  const savings = new CauseSavings();
  savings.move(move('cold'), 300);
  savings.skipCall();
  savings.call(call(1000, 700, 10, 7));
  expect(savings.all).toEqual({ cold: { moves: 1, tokens: 300, dollars: 3 } });
});

test('edits without a decision were made at every call, compressions are a cause of their own, and the agent’s own changes are none', () => {
  const savings = new CauseSavings();
  savings.move({ kind: 'rebuilt', event: 0, turn: 0, changes: [], after: [] }, 50);
  savings.move({ kind: 'optimized', event: 1, turn: 1, changes: [] }, 10);
  savings.move({ kind: 'compressed', event: 2, turn: 2, changes: [], after: [] }, 30);
  savings.call(call(100, 60, 1, 0.6));
  expect(Object.keys(savings.all)).toEqual(['always', 'compressed']);
  expect(savings.all.compressed?.tokens).toBe(30);
});

test('nothing is saved before anything is removed', () => {
  const savings = new CauseSavings();
  savings.call(call(100, 100, 1, 1));
  expect(savings.all).toEqual({});
});
