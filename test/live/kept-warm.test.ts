import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport, Pruner } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { staleRead } from './stale-reads.ts';

const HOURS_MS = 3 * 60 * 60_000;
const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start' },
  ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(staleRead),
];

/** Sends each longer list, the last two after hours; what the provider says that it read from its cache at the first of them. */
async function play(cachedTokens: number, { restarts = false, model = 'claude-opus-5' } = {}): Promise<PruneReport[]> {
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
    ms += at >= 3 ? HOURS_MS : 1000;
    const body = { model, tools: [{ name: 'Read' }], messages: MESSAGES.slice(0, count) };
    const { report } = await pruner.prune({ body, conversation: 'c' });
    await pruner.observe(report, { status: 200, answerTokens: 20, ...(at === 3 && { cachedTokens }) });
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
