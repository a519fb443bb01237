import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { brokenPairs } from '../../src/replay/broken-pairs.ts';
import { replaySession } from '../../src/replay/replay.ts';
import { makeSmaller } from '../../src/replay/smaller.ts';
import { inspectHistory } from '../../src/sessions/inspection.ts';
import { optimizeConfig } from '../../src/sessions/prunable.ts';
import { RECOMMENDED } from '../../src/settings/recommended.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import { COMPRESSION_STRATEGIES } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { haveRealSessions, sessionsOfEveryFormat } from '../real-sessions.ts';

const RECOMMENDED_CONFIG = optimizeConfig(createEphemerals([RECOMMENDED], { model: 'unknown' }));
const STRATEGIES = COMPRESSION_STRATEGIES.filter((name) => !getCompressionStrategy(name).requiresLLM);

/** Calls that nothing makes fit into 20,000 tokens: the user attached a file of 11,000, and answers of 5,000 and more, as reported, remain. */
const REFUSED_WHEN_SMALL: Readonly<Record<string, number>> = {
  'session-bridge__ses_277daa810ffePOBsdfS6gm8uA2.json': 2,
};

describe.runIf(haveRealSessions)('recorded sessions', () => {
  test.each(sessionsOfEveryFormat().map((file) => [path.basename(file), file]))(
    '%s is replayed under every strategy, in its own window and a small one, with no pair broken',
    async (name, file) => {
      const bytes = readFileSync(file);
      const format = detectFormat(new TextDecoder().decode(bytes.subarray(0, 256 * 1024)));
      const session = format.read(linesOf(() => [bytes]));
      const model = session.model ?? 'unknown';
      const { vocabulary } = format;
      const createStrategy = (name: string) => getCompressionStrategy(name, { vocabulary });
      for (const strategy of STRATEGIES) {
        for (const settings of [{}, { 'context-limit': 20_000 }]) {
          const ephemerals = createEphemerals([{ ...settings, 'compression.strategy': strategy }], { model });
          const options = { createStrategy, ephemerals, clock: () => 0 };
          const result = await replaySession(session, { strategy, model, engine: 'inline' }, options);
          expect(result.pairsBroken).toBe(0);
          expect(result.turnsOverLimit).toBeLessThanOrEqual(result.turnsOverLimitRaw);
          expect(result.tokensSent).toBeLessThanOrEqual(result.tokensSentRaw);
          const isSmall = 'context-limit' in settings;
          expect(result.turnsRefused).toBe((isSmall && REFUSED_WHEN_SMALL[name]) || 0);
        }
        const before = liveHistory(session);
        const workspaceRoot = session.workspaceRoot ?? '/';
        const ephemerals = createEphemerals([{ 'compression.strategy': strategy }], { model });
        const smaller = {
          model,
          engine: 'inline' as const,
          ephemerals,
          workspaceRoot,
          createStrategy,
          compress: true,
        };
        const { history, tokensBefore, tokensAfter } = await makeSmaller(before, smaller);
        expect(brokenPairs(before, history)).toBe(0);
        expect(tokensAfter).toBeLessThanOrEqual(tokensBefore);
      }
      const live = liveHistory(session);
      const workspaceRoot = session.workspaceRoot ?? '/';
      const inspection = inspectHistory(live, { vocabulary, workspaceRoot, model, optimize: RECOMMENDED_CONFIG });
      expect(inspection.byKind.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(inspection.tokens);
    },
  );
});
