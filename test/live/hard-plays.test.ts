import { describe, expect, test } from 'vitest';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import type { Body, LiveRequest } from '../../src/live/contract.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import type { CreatePruner } from '../../tools/proof/compactions/baseline.ts';
import { COMPACTED_MODELS } from '../../tools/proof/compactions/compacted-models.ts';
import { playCompactions } from '../../tools/proof/compactions/play.ts';
import { PLAYED_MODELS, playedProvider } from '../../tools/proof/live/played-models.ts';
import { recordedCalls } from '../../tools/proof/live/recorded-calls.ts';
import { playRefusals } from '../../tools/proof/refusals/play.ts';

const calls = recordedCalls({ ...exampleSession(), vocabulary: llxprt } as Parameters<typeof recordedCalls>[0]);
const FACTS = { workspaceRoot: '/', agent: 'llxprt' };

/** Sends summaries the originals, as the pruner did once. */
const withOriginals: CreatePruner = (options) => {
  const pruner = createPruner(options);
  const prune = async <Given extends Body>(request: LiveRequest<Given>) => {
    const pruned = await pruner.prune(request);
    return request.headers ? { ...pruned, body: request.body } : pruned;
  };
  return { prune, observe: (report, answer) => pruner.observe(report, answer) };
};

describe('the example session', () => {
  test.each(PLAYED_MODELS.filter(({ name }) => name.startsWith('claude-opus-5')))(
    'loses nothing by refusals of the agent, and only the form that is refused: $name',
    async (played) => {
      const outcome = await playRefusals(calls, { ...FACTS, provider: playedProvider(), played, vocabulary: llxprt });
      expect(outcome).toMatchObject({
        ...{ changedByFaults: 0, otherFormsChanged: 0, sentAgain: 0 },
        ...{ changedPrefixes: 0, droppedThinking: 0, refused: 0 },
      });
      expect(outcome.agentFaults).toBe(Math.floor((calls.length + 5) / 10));
      expect(outcome.refusedForms).toBeGreaterThan(0);
    },
  );

  test.each(COMPACTED_MODELS.slice(0, 3))(
    'goes on from summaries that read the cache, and pays less than with the originals: $name',
    async (played) => {
      const options = { ...FACTS, provider: playedProvider(), played, createPruner };
      const outcome = await playCompactions(calls, { ...options, baseline: withOriginals });
      expect(outcome).toMatchObject({
        ...{ refused: 0, missed: 0, changedInSummaries: 0, changedPrefixes: 0, droppedThinking: 0, markersSent: 0 },
      });
      expect(outcome.quoted).toBeGreaterThan(0);
      expect(outcome.pairedSummaryDollars).toBeLessThan(outcome.baselineSummaryDollars);
      const wrong = await playCompactions(calls, {
        ...options,
        provider: playedProvider(),
        createPruner: withOriginals,
      });
      expect(wrong.changedInSummaries).toBeGreaterThan(0);
    },
  );
});
