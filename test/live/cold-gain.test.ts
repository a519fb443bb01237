import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { HOUR_MS } from '../../src/durations.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import { staleRead } from './stale-reads.ts';

const [READ, RESULT, WRITE, WRITTEN] = staleRead('a') as [object, object, object, object];
/** The file that was read first is written last: to leave its text out, all after it would be written again. */
const SENT: readonly object[] = [
  { role: 'user', content: 'start '.repeat(3_000) },
  READ,
  RESULT,
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((id) => staleRead(id).slice(0, 2)),
  WRITE,
  WRITTEN,
];

/** Sends each longer list up to that one. */
async function sent(model: string) {
  let ms = 0;
  const archive = async (): Promise<void> => {};
  const now = (): number => ms;
  const facts = { api: 'anthropic-messages', vocabulary: claudeCode, workspaceRoot: '/', archive, now } as const;
  const pruner = new LivePruner(facts);
  const ask = async (messages: readonly object[], afterMs = 1_000) => {
    ms += afterMs;
    const { report } = await pruner.prune({ body: { model, tools: [{ name: 'Read' }], messages }, conversation: 'c' });
    await pruner.observe(report, { status: 200, answerTokens: 20 });
    return report;
  };
  for (let end = 1; end < SENT.length; end += 2) await ask(SENT.slice(0, end));
  return { pruner, report: await ask(SENT), ask };
}

describe('coldGain', () => {
  test('is what the next request is expected to save, if it finds nothing in the cache', async () => {
    const { pruner, report, ask } = await sent('claude-opus-5');
    const gain = await pruner.keepWarm(report)!.coldGain();
    const { decision } = await ask([...SENT, { role: 'user', content: 'Go on.' }], 3 * HOUR_MS);
    expect(decision?.cause).toBe('cold');
    expect(gain).toBeGreaterThan(0);
    expect(gain / decision!.expectedNet).toBeCloseTo(1, 1);
  });

  test('changes nothing of what is sent', async () => {
    const [one, other] = [await sent('claude-opus-5'), await sent('claude-opus-5')];
    await one.pruner.keepWarm(one.report)!.coldGain();
    const next = [...SENT, { role: 'user', content: 'Go on.' }];
    expect(await one.ask(next, 3 * HOUR_MS)).toEqual(await other.ask(next, 3 * HOUR_MS));
  });

  test('is nothing where thinking is bound, and where the conversation went on', async () => {
    const bound = await sent('claude-opus-5-5');
    expect(await bound.pruner.keepWarm(bound.report)!.coldGain()).toBe(0);
    const { pruner, report, ask } = await sent('claude-opus-5');
    const keepWarm = pruner.keepWarm(report)!;
    await ask([...SENT, { role: 'user', content: 'Go on.' }]);
    expect(await keepWarm.coldGain()).toBe(0);
  });
});
