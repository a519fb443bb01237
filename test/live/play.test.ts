import { describe, expect, test } from 'vitest';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { type Played, playCalls } from '../../tools/proof/live/play.ts';
import { PLAYED_MODELS, playedProvider } from '../../tools/proof/live/played-models.ts';
import { recordedCalls } from '../../tools/proof/live/recorded-calls.ts';
import { recordedSession } from '../../tools/proof/recorded-sessions.ts';
import { realSession } from '../real-sessions.ts';

/** All sessions are played by `npm run proof -- live`. */
const SAMPLE = realSession('codex/session-bridge__019d6c33-f548-7332-b9a3-159549daf46c.jsonl');
/** One of each API and of each way to treat thinking; `npm run proof -- live` plays all. */
const SAMPLED_MODELS = PLAYED_MODELS.filter(({ name }) =>
  [
    'claude-opus-5-5 5m, new account',
    'claude-opus-5-5 5m, old account, drop',
    'gpt-5.6-sol',
    'gpt-5.6-sol chat',
    'gemini-3.1-pro-preview',
  ].includes(name),
);

async function playAll(session: ReturnType<typeof recordedSession>): Promise<Played[]> {
  const calls = recordedCalls(session);
  const provider = playedProvider();
  const { vocabulary, workspaceRoot = '/', format } = session;
  const played: Played[] = [];
  for (const model of SAMPLED_MODELS)
    played.push(await playCalls(calls, { provider, played: model, vocabulary, workspaceRoot, agent: format }));
  return played;
}

const LAWS = { refusals: [], droppedThinking: 0, changedPrefixes: 0, failures: 0 };

describe('a recorded session, played through the provider that enforces the rules', () => {
  test('the example session of the package', async () => {
    const all = await playAll({ ...exampleSession(), vocabulary: llxprt });
    for (const played of all) expect(played).toMatchObject(LAWS);
    expect(all.some(({ dollars, dollarsBefore }) => dollars < dollarsBefore)).toBe(true);
  });

  test.skipIf(SAMPLE === undefined)(
    'a session of codex is accepted as without the pruner, loses no thinking, and changes its prefix only in epochs',
    async () => {
      for (const played of await playAll(recordedSession(SAMPLE!))) expect(played).toMatchObject(LAWS);
    },
  );
});
