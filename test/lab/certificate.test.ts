import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { certify } from '../../src/lab/certificate.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { applied } from '../contracts/strategy.ts';
import { generatedHistory } from '../generated-history.ts';
import { ALL_OFF, ai, exchange, human } from '../strategies/conversation.ts';

const countBlock = blockCounter('gpt-4o');
const CONFIG = { ...ALL_OFF, readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1 };
const OPTIONS = {
  kind: 'optimized',
  vocabulary: llxprt,
  workspaceRoot: '/repo',
  includesShellWrites: false,
  countBlock,
} as const;

const optimized = (history: readonly IContent[]): readonly IContent[] => {
  const result = new HighDensityStrategy().optimize(history, CONFIG);
  return result.removals.length + result.replacements.size === 0 ? history : applied(history, result);
};

const numbered = (...parts: (IContent | IContent[])[]): IContent[] =>
  parts.flat().map((entry, at) => ({ ...entry, metadata: { id: `entry-${at}` } }));

describe('a certificate', () => {
  const HASH = /^[0-9a-f]{64}$/;

  test('lists what went with rule, reason, tokens and hash, and what is billed anew', () => {
    const before = numbered(
      human('go'),
      exchange('r', 'read_file', 'a.ts'),
      ai('so'),
      exchange('w', 'write_file', 'a.ts'),
    );
    const after = optimized(before);
    const certificate = certify(before, after, { ...OPTIONS, again: optimized });
    expect(certificate).toMatchObject({ kind: 'optimized', entriesBefore: 6, entriesAfter: 4, firstChangedEntry: 1 });
    expect(certificate.items).toEqual([
      {
        rule: 'staleRead',
        reason: 'read of a file that was written later: /repo/a.ts',
        entry: 1,
        id: 'entry-1',
        block: 'tool_call',
        tool: 'read_file',
        tokens: countBlock(before[1]!.blocks[0]!),
        replacementTokens: 0,
        hash: expect.stringMatching(HASH),
      },
      expect.objectContaining({
        rule: 'staleRead',
        block: 'tool_response',
        entry: 2,
        hash: expect.stringMatching(HASH),
      }),
    ]);
    expect(certificate.rebilledTokens).toBe(
      after.slice(1).reduce((sum, { blocks }) => sum + blocks.reduce((own, block) => own + countBlock(block), 0), 0),
    );
    expect(certificate.laws).toEqual({ pairsIntact: true, notLarger: true, humanWordsKept: true, idempotent: true });
  });

  test('tells rules apart', () => {
    const long = 'a long line of the result\n'.repeat(30);
    const before = numbered(
      human('--- a.ts ---\nold\n--- End of content ---\nmy words'),
      human('--- a.ts ---\nnew\n--- End of content ---'),
      exchange('1', 'glob', {}, { result: long }),
      exchange('2', 'glob', {}, { result: long }),
    );
    const { items, laws } = certify(before, optimized(before), OPTIONS);
    expect(items.map(({ rule, entry }) => [rule, entry])).toEqual([
      ['repeatedInclusion', 0],
      ['recency', 3],
    ]);
    expect(laws).toMatchObject({ humanWordsKept: true, idempotent: null });
    const whole = numbered(human('go'), exchange('r', 'read_file', 'a.ts'));
    const superseded = certify(whole, whole.slice(0, 1), OPTIONS);
    expect(superseded.items.map(({ rule }) => rule)).toEqual(['supersededRead', 'supersededRead']);
    const dropped = certify(whole, whole.slice(0, 1), { ...OPTIONS, kind: 'compressed' });
    expect(dropped.items.map(({ rule }) => rule)).toEqual(['dropped', 'dropped']);
  });

  test('says which law a step broke', () => {
    const before = numbered(human('my words'), exchange('r', 'read_file', 'a.ts'));
    const broken = certify(before, [before[1]!], { ...OPTIONS, again: () => [] });
    expect(broken.laws).toEqual({ pairsIntact: false, notLarger: true, humanWordsKept: false, idempotent: false });
    expect(certify(before, [...before, ...before], OPTIONS).laws.notLarger).toBe(false);
  });

  test('certifies that nothing happened', () => {
    const before = numbered(human('go'));
    expect(certify(before, before, OPTIONS)).toMatchObject({ firstChangedEntry: null, rebilledTokens: 0, items: [] });
  });

  test('finds every law kept in what optimising makes of any history, the size of short results aside (laws 1 to 4)', () => {
    fc.assert(
      fc.property(generatedHistory(), (history) => {
        const { laws } = certify(history, optimized(history), { ...OPTIONS, again: optimized });
        expect(laws).toMatchObject({ pairsIntact: true, humanWordsKept: true, idempotent: true });
      }),
      { numRuns: 200 },
    );
  });
});
