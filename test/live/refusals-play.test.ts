import { describe, expect, test } from 'vitest';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { PLAYED_MODELS, playedProvider } from '../../tools/proof/live/played-models.ts';
import { recordedCalls } from '../../tools/proof/live/recorded-calls.ts';
import { playRefusals } from '../../tools/proof/refusals/play.ts';

const calls = recordedCalls({ ...exampleSession(), vocabulary: llxprt } as Parameters<typeof recordedCalls>[0]);
const FACTS = { workspaceRoot: '/', agent: 'llxprt' };

/** One for each way to treat thinking that is bound. */
const SAMPLED = [
  'claude-opus-5 5m, new account',
  'claude-opus-5-5 5m, new account',
  'claude-opus-5-5 5m, old account, drop',
];

describe('the example session', () => {
  test.each(PLAYED_MODELS.filter(({ name }) => SAMPLED.includes(name)))(
    'loses nothing by refusals of the agent, and only the form that is refused: $name',
    async (played) => {
      const outcome = await playRefusals(calls, { ...FACTS, provider: playedProvider(), played, vocabulary: llxprt });
      expect(outcome).toMatchObject({
        changedByFaults: 0,
        otherFormsChanged: 0,
        sentAgain: 0,
        changedPrefixes: 0,
        droppedThinking: 0,
        refused: 0,
      });
      expect(outcome.agentFaults).toBe(Math.floor((calls.length + 5) / 10));
      expect(outcome.refusedForms).toBeGreaterThan(0);
    },
  );
});
