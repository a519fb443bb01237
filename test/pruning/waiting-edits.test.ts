import { describe, expect, test } from 'vitest';
import { savedByLength, waitingEdits } from '../../src/pruning/waiting-edits.ts';
import type { DensityEdit } from '../../src/strategies/contract.ts';
import { onlyEntries } from '../../src/strategies/reasons/only-entries.ts';
import { ai, exchange, human, text, tool } from '../strategies/conversation.ts';

const metadata = { readWritePairsPruned: 2, fileDeduplicationsPruned: 0, recencyPruned: 0 };
const stale = (entry: number, read: number, file: string): DensityEdit => ({
  entry,
  block: 0,
  kind: 'remove',
  reason: {
    rule: 'staleRead',
    read: { entry: read, block: 0, callId: `c${read}` },
    causes: [{ file, call: { entry: 9, block: 0, callId: 'w' } }],
  },
});

describe('waiting edits', () => {
  const history = [...exchange('a', 'read_file', 'a.ts'), human('x'), ...exchange('b', 'read_file', 'b.ts')];
  const tokens = [100, 1000, 5, 100, 2000];
  const result = { removals: [0, 1, 3, 4], replacements: new Map(), metadata };

  test('are one candidate for a call and its result', () => {
    expect(waitingEdits(history, result, savedByLength(history, result, tokens))).toEqual([
      { at: 0, savedTokens: 1100, entries: [0, 1] },
      { at: 3, savedTokens: 2100, entries: [3, 4] },
    ]);
  });

  test('are one candidate for a file, so that no older version outlives a newer one', () => {
    const edits = [stale(0, 0, '/a'), stale(1, 0, '/a'), stale(3, 3, '/a'), stale(4, 3, '/a')];
    expect(waitingEdits(history, { ...result, edits }, savedByLength(history, result, tokens))).toEqual([
      { at: 0, savedTokens: 3200, entries: [0, 1, 3, 4] },
    ]);
  });

  test('are one candidate for each call with its result where all calls have one id', () => {
    const same = [...exchange('0', 'read_file', 'a.ts'), human('x'), ...exchange('0', 'read_file', 'b.ts')];
    const found = { ...result };
    expect(waitingEdits(same, found, savedByLength(same, found, tokens))).toEqual([
      { at: 0, savedTokens: 1100, entries: [0, 1] },
      { at: 3, savedTokens: 2100, entries: [3, 4] },
    ]);
  });

  test('save what a replacement is shorter', () => {
    const entries = [human('a'), ai('b'), tool('cccc')];
    const replacements = new Map([[2, { ...entries[2]!, blocks: [text('c')] }]]);
    const found = { removals: [], replacements };
    expect(waitingEdits(entries, found, savedByLength(entries, found, [10, 10, 100]))).toEqual([
      { at: 2, savedTokens: 75, entries: [2] },
    ]);
  });

  test('leave out entries that are not changed after all, and groups that save nothing', () => {
    const saved = new Map([
      [1, 7],
      [3, 5],
      [4, -5],
    ]);
    expect(waitingEdits(history, result, (at) => saved.get(at))).toEqual([{ at: 1, savedTokens: 7, entries: [1] }]);
  });

  test('can be applied in part, and are counted again then', () => {
    const edits = [stale(0, 0, '/a'), stale(1, 0, '/a'), stale(3, 3, '/b'), stale(4, 3, '/b')];
    const part = onlyEntries({ ...result, edits }, new Set([3, 4]));
    expect(part).toEqual({
      removals: [3, 4],
      replacements: new Map(),
      metadata: { ...metadata, readWritePairsPruned: 1 },
      edits: edits.slice(2),
    });
  });
});
