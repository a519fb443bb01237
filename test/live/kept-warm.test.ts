import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport, Pruner } from '../../src/live/contract.ts';
import { FrozenDecisions } from '../../src/live/conversation/frozen.ts';
import { holdsForAllBranches } from '../../src/live/conversation/turn-note.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { staleRead } from './stale-reads.ts';

const HOURS_MS = 3 * 60 * 60_000;
const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start '.repeat(3_000) },
  ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(staleRead),
];

/** Sends each longer list, the last two after a pause; what the provider says that it read from its cache at the first of them. */
async function play(
  cachedTokens: number,
  { restarts = false, model = 'claude-opus-5', pausesMs = [HOURS_MS, HOURS_MS], firstTokens = 9_000 } = {},
): Promise<PruneReport[]> {
  const store = memoryStore();
  let ms = 0;
  const start = (): Pruner =>
    createPruner({
      api: 'anthropic-messages',
      vocabulary: claudeCode,
      workspaceRoot: '/',
      store,
      now: () => ms,
      archive: async () => {},
    });
  let pruner = start();
  const reports: PruneReport[] = [];
  const counts = [9, 13, 17, 21, 25];
  for (const [at, count] of counts.entries()) {
    ms += pausesMs[at - 3] ?? 1000;
    const body = { model, tools: [{ name: 'Read' }], messages: MESSAGES.slice(0, count) };
    const { report } = await pruner.prune({ body, conversation: 'c' });
    await pruner.observe(report, {
      status: 200,
      answerTokens: 20,
      ...(at >= 2 && { cachedTokens: at === 3 ? cachedTokens : firstTokens }),
    });
    reports.push(report);
    if (restarts && at === 3) pruner = start();
  }
  return reports;
}

describe('a prefix that counted as lost', () => {
  test('and was, lets later pauses count as cold', async () => {
    const reports = await play(300);
    expect(reports[3]!.decision?.cause).toBe('cold');
    expect(reports[4]!.decision?.cause).toBe('cold');
  });

  test.each([false, true])(
    'and was in the cache, ends that: a pause says nothing any more (restart: %s)',
    async (restarts) => {
      const reports = await play(9_000, { restarts });
      expect(reports[3]!.decision?.cause).toBe('cold');
      expect(reports[4]!.decision?.cause).not.toBe('cold');
    },
  );
});

describe('a prefix whose provider may keep it for an hour', () => {
  const MINUTES_MS = 20 * 60_000;
  const causes = async (cachedTokens: number, pausesMs: number[], firstTokens = 9_000) => {
    const reports = await play(cachedTokens, { model: 'gpt-5.5', pausesMs, firstTokens });
    return reports.slice(3).map(({ decision }) => decision?.cause === 'cold');
  };

  // Other conversations may keep the start of it.
  test.each([0, 1_000])('counts as lost after a pause that lost all of it but %i tokens', async (cachedTokens) => {
    expect(await causes(cachedTokens, [MINUTES_MS, MINUTES_MS])).toEqual([false, true]);
  });

  test('and what a pause showed is written down, and known to each branch', () => {
    const decisions = new FrozenDecisions();
    expect(decisions.notePause({ idleMs: MINUTES_MS, isFound: false })).toBe(true);
    expect(decisions.notePause({ idleMs: MINUTES_MS + 1, isFound: false })).toBe(false);
    const lines = decisions.take().map(({ line }) => line);
    expect(lines).toHaveLength(1);
    expect(lines.every(holdsForAllBranches)).toBe(true);
    for (const again of [FrozenDecisions.of(lines), new FrozenDecisions(decisions)])
      expect(again.seenLifetime.lostAfterMs).toBe(MINUTES_MS);
  });

  test.each([
    ['it was found', 9_000, [MINUTES_MS, MINUTES_MS]],
    ['its provider never told of a hit', 0, [MINUTES_MS, MINUTES_MS], 0],
    ['the pause before was longer', 0, [MINUTES_MS, MINUTES_MS - 60_000]],
    ['no cache is that short', 0, [4 * 60_000, 4 * 60_000]],
  ])('does not if %s', async (_, cachedTokens, pausesMs, firstTokens?: number) => {
    expect(await causes(cachedTokens, pausesMs, firstTokens)).toEqual([false, false]);
  });
});
