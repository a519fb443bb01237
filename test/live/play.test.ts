import { describe, expect, test } from 'vitest';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';
import { type Played, playCalls } from '../../tools/proof/live/play.ts';
import { PLAYED_MODELS, playedProvider } from '../../tools/proof/live/played-models.ts';
import { recordedCalls } from '../../tools/proof/live/recorded-calls.ts';
import { recordedSession } from '../../tools/proof/recorded-sessions.ts';
import { realSessions } from '../real-sessions.ts';

/** All of them are played by `npm run proof -- live`. */
const SAMPLE = realSessions('codex').filter((file) => file.includes('019d6c33'));

async function playAll(session: ReturnType<typeof recordedSession>): Promise<Played[]> {
  const calls = recordedCalls(session);
  const provider = playedProvider();
  const { vocabulary, workspaceRoot = '/', format } = session;
  const played: Played[] = [];
  for (const model of PLAYED_MODELS)
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

  test.each(SAMPLE)(
    'is accepted as without the pruner, loses no thinking, and changes its prefix only in epochs: %s',
    async (file) => {
      for (const played of await playAll(recordedSession(file))) expect(played).toMatchObject(LAWS);
    },
  );
});
