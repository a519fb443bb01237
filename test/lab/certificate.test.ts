import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { type Certificate, type CertificateOptions, certify } from '../../src/lab/certificate.ts';
import { compressedEntries, optimizedEntries } from '../../src/strategies/changed-entries.ts';
import type { DensityConfig, DensityRules } from '../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { SPECIFIED_RULES } from '../../src/strategies/settings/rule-settings.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { applied } from '../contracts/strategy.ts';
import { generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { ALL_OFF, ai, exchange, human } from '../strategies/conversation.ts';

const MODEL = 'gpt-4o';
const countBlock = blockCounter(MODEL);
const CONFIG = { ...ALL_OFF, readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1 };
const OPTIONS = {
  kind: 'optimized',
  vocabulary: llxprt,
  workspaceRoot: '/repo',
  model: MODEL,
} as const;

const optimized = (history: readonly IContent[]): readonly IContent[] => {
  const result = new HighDensityStrategy().optimize(history, CONFIG);
  return result.removals.length + result.replacements.size === 0 ? history : applied(history, result);
};

/** The certificate of an optimisation. */
const certified = (
  before: readonly IContent[],
  { config = CONFIG, ...more }: Partial<CertificateOptions> & { config?: DensityConfig } = {},
): Certificate => {
  const result = new HighDensityStrategy().optimize(before, config);
  const changes = optimizedEntries(before, result, 'high-density');
  return certify(before, applied(before, result), { ...OPTIONS, changes, ...more });
};

const numbered = (...parts: (IContent | IContent[])[]): IContent[] =>
  parts.flat().map((entry, at) => ({ ...entry, metadata: { id: `entry-${at}` } }));

describe('a certificate', () => {
  const HASH = /^[0-9a-f]{64}$/;

  test('lists removed blocks with rule, reason, tokens and hash, and the tokens billed again', () => {
    const before = numbered(
      human('go'),
      exchange('r', 'read_file', 'a.ts'),
      ai('so'),
      exchange('w', 'write_file', 'a.ts'),
    );
    const after = optimized(before);
    const certificate = certified(before, { again: optimized });
    expect(certificate).toMatchObject({ kind: 'optimized', entriesBefore: 6, entriesAfter: 4, firstChangedEntry: 1 });
    expect(certificate.items).toEqual([
      {
        rule: 'staleRead',
        reason: 'read of a file that was written later: /repo/a.ts',
        cause: {
          rule: 'staleRead',
          read: { entry: 1, block: 0, callId: 'r' },
          causes: [{ file: '/repo/a.ts', call: { entry: 4, block: 0, callId: 'w' } }],
        },
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

  test('distinguishes the rules', () => {
    const long = 'a long line of the result\n'.repeat(30);
    const before = numbered(
      human('--- a.ts ---\nold\n--- End of content ---\nmy words'),
      human('--- a.ts ---\nnew\n--- End of content ---'),
      exchange('1', 'glob', {}, { result: long }),
      exchange('2', 'glob', {}, { result: long }),
    );
    const { items, laws } = certified(before);
    expect(items.map(({ rule, entry }) => [rule, entry])).toEqual([
      ['repeatedInclusion', 0],
      ['recency', 3],
    ]);
    expect(laws).toMatchObject({ humanWordsKept: true, idempotent: null });
    const shown = { result: 'a line that is long enough\nand another one, longer still' };
    const whole = numbered(human('go'), exchange('r', 'read_file', 'a.ts', shown));
    const twice = numbered(whole, exchange('again', 'read_file', 'a.ts', shown));
    const rules: DensityRules = { ...SPECIFIED_RULES, supersededReads: true };
    const superseded = certified(twice, { config: { ...ALL_OFF, readWritePruning: true, rules } });
    expect(superseded.items.map(({ rule }) => rule)).toEqual(['supersededRead', 'supersededRead']);
    const changes = compressedEntries(whole, whole.slice(0, 1), 'top-down-truncation');
    const dropped = certify(whole, whole.slice(0, 1), { ...OPTIONS, kind: 'compressed', changes });
    expect(dropped.items.map(({ rule }) => rule)).toEqual(['dropped', 'dropped']);
  });

  test('says which law a step broke', () => {
    const before = numbered(human('my words'), exchange('r', 'read_file', 'a.ts'));
    const broken = certify(before, [before[1]!], { ...OPTIONS, changes: [], again: () => [] });
    expect(broken.laws).toEqual({ pairsIntact: false, notLarger: true, humanWordsKept: false, idempotent: false });
    expect(certify(before, [...before, ...before], { ...OPTIONS, changes: [] }).laws.notLarger).toBe(false);
  });

  test('certifies that nothing happened', () => {
    const before = numbered(human('go'));
    expect(certify(before, before, { ...OPTIONS, changes: [] })).toMatchObject({
      firstChangedEntry: null,
      rebilledTokens: 0,
      items: [],
    });
  });

  test('finds every law kept in what optimising makes of any history, the size of short results aside (laws 1 to 4)', () => {
    fc.assert(
      fc.property(generatedHistory(), (history) => {
        const { laws } = certified(history, { again: optimized });
        expect(laws).toMatchObject({ pairsIntact: true, humanWordsKept: true, idempotent: true });
      }),
      { numRuns: runs(200) },
    );
  });
});
