import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChainedHistory, chainedHistory } from '../../../bench/sessions.ts';
import { createProvider } from '../../../src/providers/index.ts';
import { Loopback, stream } from '../../providers/loopback.ts';
import { WIRES } from '../../providers/wires.ts';
import { compressLongSession } from './compressed-often.ts';

const server = new Loopback();
let baseUrl: string;
let session: ChainedHistory;

beforeAll(async () => {
  baseUrl = await server.start();
  session = chainedHistory({ tokens: 1_000_000, seed: 1 });
});
afterAll(() => server.stop());

test.each(['middle-out', 'one-shot'])(
  '%s compresses a session of a million tokens twenty times and more: no pair breaks, nothing grows, no words of the user within the budget are lost (laws 1, 2)',
  async (strategy) => {
    const notes = 'It was found that the parser reads lines and that tests run with the usual command. '.repeat(40);
    const texts = ['<state_snapshot>\n<overall_goal>', notes, '</overall_goal>\n</state_snapshot>'];
    server.willAnswer(stream(WIRES['anthropic']!.events({ texts, ending: 'stop' })));
    const provider = createProvider('anthropic', { baseUrl, environment: { ANTHROPIC_API_KEY: 'loopback' } });
    const { compressions, problems, tokensAfter } = await compressLongSession(strategy, provider, session);
    expect(problems).toEqual([]);
    expect(compressions).toBeGreaterThanOrEqual(20);
    expect(tokensAfter).toBeLessThan(80_000);
    expect(server.requests.length).toBeGreaterThanOrEqual(compressions);
  },
);
