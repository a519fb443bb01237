import { describe, expect, test } from 'vitest';
import { makeSmaller } from '../../src/replay/smaller.ts';
import { RECOMMENDED } from '../../src/settings/recommended.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { getCompressionPrompt } from '../../src/strategies/prompts.ts';
import { isSnapshotEntry } from '../../src/strategies/summarizing/snapshot.ts';
import { ai, exchange, human } from '../strategies/conversation.ts';
import { FakeSummarizer } from '../strategies/fake-summarizer.ts';

const BEFORE = [
  human('Rename it, please.'),
  ...Array.from({ length: 12 }, (_, at) =>
    exchange(`call-${at}`, 'search', { pattern: `word${at}` }, { result: `line ${at} of many\n`.repeat(40) }),
  ).flat(),
  ai('Renamed.'),
  human('And the tests?'),
];

function smaller(strategy: 'middle-out' | 'one-shot', transcriptPath?: string, before = BEFORE) {
  const model = 'gpt-4o';
  return makeSmaller(before, {
    model,
    engine: 'inline',
    ephemerals: createEphemerals([{ 'compression.strategy': strategy }], { model }),
    workspaceRoot: '/repo',
    createStrategy: (name) => getCompressionStrategy(name),
    compress: true,
    summarizer: {
      resolveProvider: () => new FakeSummarizer(),
      promptResolver: { resolve: async () => getCompressionPrompt() },
      promptBaseDir: '',
      promptContext: {},
    },
    ...(transcriptPath !== undefined && { transcriptPath }),
  });
}

describe('makeSmaller with a model', () => {
  test.each(['middle-out', 'one-shot'] as const)(
    '%s leaves a summary that names where the conversation is kept (REQ-HD-012.3)',
    async (strategy) => {
      const { history, compression, tokensAfter, tokensBefore } = await smaller(strategy, '/kept/session.jsonl');
      expect(compression?.kind).toBe('compressed');
      expect(tokensAfter).toBeLessThan(tokensBefore);
      expect(JSON.stringify(history.filter(isSnapshotEntry))).toContain('/kept/session.jsonl');
      expect(history).toContain(BEFORE.at(-1));
    },
  );

  test('middle-out gets a history without stale reads, although it never optimises before a send', async () => {
    const read = exchange('r', 'read_file', { absolute_path: '/repo/a.ts' }, { result: 'old text\n'.repeat(40) });
    const write = exchange('w', 'write_file', { file_path: '/repo/a.ts', content: 'new' }, { result: 'done' });
    const { history, removals } = await smaller('middle-out', undefined, [...BEFORE, ...read, ...write]);
    expect(removals.readWritePairs.count).toBe(1);
    expect(JSON.stringify(history)).not.toContain('old text');
  });

  test('names no place where there is none', async () => {
    const { history } = await smaller('one-shot');
    expect(JSON.stringify(history.filter(isSnapshotEntry))).not.toContain('full conversation');
  });
});

describe('makeSmaller with `recommended`', () => {
  /** A read that only the rules for a lost prompt cache remove: 65 calls without a use of its file. */
  const entries = [
    human('What is in it?'),
    ...exchange('r', 'read_file', { absolute_path: '/repo/a.ts' }, { result: 'some words of a file\n'.repeat(400) }),
    ...Array.from({ length: 65 }, (_, at) => [human(`And ${at}?`), ai('Yes.')]).flat(),
  ];

  test.each([
    ['no times', undefined],
    ['a moment ago', Date.now()],
    ['times of a clock that is ahead', Date.now() + 86_400_000],
  ])('removes the same whatever the clock says: %s', async (_when, timestamp) => {
    const model = 'claude-sonnet-4-5';
    const before = entries.map((entry) => ({ ...entry, ...(timestamp !== undefined && { metadata: { timestamp } }) }));
    const { removals } = await makeSmaller(before, {
      model,
      engine: 'inline',
      ephemerals: createEphemerals([RECOMMENDED], { model }),
      workspaceRoot: '/repo',
      createStrategy: (name) => getCompressionStrategy(name),
      compress: false,
    });
    expect(removals.recency.count).toBe(1);
  });
});
