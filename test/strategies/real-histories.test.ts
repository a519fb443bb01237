import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { findInclusions } from '../../src/content/inclusions.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { COMPRESSION_STRATEGIES } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { applied, brokenPairs, compressed } from '../contracts/strategy.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { compressionContext } from './compression-context.ts';

const FOLDERS = [
  'claude-code',
  'codex',
  'anthropic-messages',
  'openai-chat',
  'swe-agent',
  'mini-swe-agent',
  'openhands',
];

const wordsOfHumans = (history: readonly IContent[]): IContent[] =>
  history.filter(({ speaker }) => speaker === 'human');

test.skipIf(!haveRealSessions)('every recorded session follows the laws (laws 1, 3, 4)', async () => {
  let pruned = 0;
  for (const file of realSessions(...FOLDERS)) {
    const bytes = readFileSync(file);
    const format = detectFormat(bytes.subarray(0, 256 * 1024).toString());
    const session = format.read(linesOf(() => [bytes]));
    const history = liveHistory(session);
    const known = new Set(brokenPairs(history));
    for (const name of COMPRESSION_STRATEGIES) {
      const strategy = getCompressionStrategy(name, { vocabulary: format.vocabulary });
      const config = {
        readWritePruning: true,
        fileDedupe: true,
        recencyPruning: true,
        recencyRetention: 3,
        workspaceRoot: session.workspaceRoot ?? '/',
      };
      const result = strategy.optimize?.(history, config);
      const once = result === undefined ? history : applied(history, result);
      const twice = strategy.optimize?.(once, config);
      expect([twice?.removals.length ?? 0, twice?.replacements.size ?? 0], file).toEqual([0, 0]);
      expect(
        brokenPairs(once).filter((problem) => !known.has(problem)),
        file,
      ).toEqual([]);
      if (!history.some((content) => findInclusions(content).length > 0)) {
        expect(wordsOfHumans(once), file).toEqual(wordsOfHumans(history));
      }
      const made = await compressed(strategy, compressionContext(once, { limit: 2000 }));
      expect(
        brokenPairs(made?.newHistory ?? once).filter((problem) => !known.has(problem)),
        file,
      ).toEqual([]);
      pruned += result?.metadata.readWritePairsPruned ?? 0;
    }
  }
  expect(pruned).toBeGreaterThan(10);
});
