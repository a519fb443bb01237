import { describe, expect, test } from 'vitest';
import type { Pruner, PrunerOptions, PrunerStore } from '../../../src/live/contract.ts';
import { livePruners } from '../../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

type Fields = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;
const MARK = { type: 'ephemeral' };
const HOUR = { type: 'ephemeral', ttl: '1h' };
const TOOLS = [{ name: 'Look', input_schema: {}, cache_control: MARK }];
const LONG = Array.from({ length: 60_000 }, (_, at) => `word${at % 1_000}`).join(' ');

/** A conversation of so many calls, marked as its agent does: the tools, and the end. */
function messages(count: number, mark: Fields = MARK): readonly Fields[] {
  const turns = Array.from({ length: count - 1 }, (_, at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'Look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: `what ${at} shows` }] },
  ]);
  const list = [{ role: 'user', content: [{ type: 'text', text: LONG }] }, ...turns.flat()] as Fields[];
  const last = list.at(-1)!;
  const content = (last['content'] as Fields[]).map((block) => ({ ...block, cache_control: mark }));
  return [...list.slice(0, -1), { ...last, content }];
}
const body = (count: number, rest: Fields = {}): Fields => ({
  model: 'claude-opus-5-5',
  max_tokens: 100,
  tools: TOOLS,
  ...rest,
  messages: messages(count),
});
const marksOf = (value: unknown): unknown[] => {
  const found: unknown[] = [];
  JSON.stringify(value, (key, one) => {
    if (key === 'cache_control') found.push(one);
    return one;
  });
  return found;
};

interface Clock {
  nowMs: number;
}
const start = (cacheLifetime: PrunerOptions['cacheLifetime'], clock: Clock, store?: PrunerStore): Pruner =>
  createPruner({
    api: 'anthropic-messages',
    ...(cacheLifetime && { cacheLifetime }),
    now: () => clock.nowMs,
    ...(store && { store }),
  });

/** Sends calls after these pauses; the marks of each. */
async function play(pruner: Pruner, clock: Clock, minutes: readonly number[], from = 1): Promise<unknown[][]> {
  const marks: unknown[][] = [];
  for (const [at, pause] of minutes.entries()) {
    clock.nowMs += pause * MINUTE_MS;
    const sent = await pruner.prune({ body: Buffer.from(JSON.stringify(body(from + at))), conversation: 'c' });
    marks.push(marksOf(JSON.parse(Buffer.from(sent.body).toString())));
  }
  return marks;
}
const OWN = [MARK, MARK];
const HOURS = [HOUR, HOUR];

describe('the lifetime of marks', () => {
  test('is the one of the agent by default', async () => {
    const clock = { nowMs: 0 };
    expect(await play(start(undefined, clock), clock, [0, 10, 10, 10, 10])).toEqual([OWN, OWN, OWN, OWN, OWN]);
  });

  test('is an hour from the first request on with `1h`, and no mark is added', async () => {
    const clock = { nowMs: 0 };
    expect(await play(start('1h', clock), clock, [0, 1])).toEqual([HOURS, HOURS]);
    const none = { ...body(1), tools: [{ name: 'Look' }], messages: [{ role: 'user', content: 'a' }] };
    expect((await start('1h', clock).prune({ body: none, conversation: 'c' })).body).toBe(none);
  });

  test('changes only when nothing is in the cache: a conversation that began with five minutes keeps them until a pause', async () => {
    const clock = { nowMs: 0 };
    const store = memoryStore();
    await play(start(undefined, clock, store), clock, [0, 1]);
    expect(await play(start('1h', clock, store), clock, [1, 1, 6, 1], 3)).toEqual([OWN, OWN, HOURS, HOURS]);
  });

  test('with `auto` becomes an hour once pauses show that it pays, and stays so', async () => {
    const clock = { nowMs: 0 };
    const pauses = [0, 1, 10, 1, 10, 1, 20, 1];
    const marks = await play(start('auto', clock), clock, pauses);
    expect(marks[0]).toEqual(OWN);
    expect(marks.at(-1)).toEqual(HOURS);
    const changed = marks.findIndex((one) => one[0] !== undefined && (one[0] as Fields)['ttl'] === '1h');
    expect(pauses[changed]).toBeGreaterThan(5);
    expect(marks.slice(changed)).toEqual(marks.slice(changed).map(() => HOURS));
  });

  test('is kept by a restart, and goes back to the agent only at a cold moment after it was turned off', async () => {
    const clock = { nowMs: 0 };
    const store = memoryStore();
    await play(start('1h', clock, store), clock, [0]);
    expect(await play(start('agent', clock, store), clock, [6, 50, 61], 2)).toEqual([HOURS, HOURS, OWN]);
  });

  test('is not changed where the agent asks for an hour itself', async () => {
    const clock = { nowMs: 0 };
    const given = body(2, { tools: [{ ...TOOLS[0], cache_control: HOUR }] });
    expect((await start('1h', clock).prune({ body: given, conversation: 'c' })).body).toBe(given);
  });

  test('that is refused is the one of the agent in the same request and all later ones', async () => {
    const clock = { nowMs: 0 };
    const pruner = start('1h', clock);
    const given = body(1);
    const pruned = await pruner.prune({ body: given, conversation: 'c' });
    await pruner.observe(pruned.report, { status: 400, error: 'ttl: no' });
    const again = pruned.withoutNew!();
    expect(again.body).toBe(given);
    await pruner.observe(again.report, { status: 200 });
    expect(await play(pruner, clock, [1, 10], 2)).toEqual([OWN, OWN]);
  });

  test('is not changed at another host than that of the vendor', async () => {
    const { change } = livePruners({ cacheLifetime: '1h' });
    const bytes = Buffer.from(JSON.stringify(body(1)));
    const sent = async (upstream: string): Promise<Uint8Array> =>
      (await change({ api: 'anthropic-messages', upstream, isCount: false, headers: {}, body: bytes })).body;
    expect(await sent('https://example.com')).toBe(bytes);
    expect(await sent('https://api.anthropic.com')).not.toBe(bytes);
  });

  test('lets a strict provider keep the prompt over a pause of half an hour', async () => {
    const read = async (lifetime: PrunerOptions['cacheLifetime']): Promise<readonly number[]> => {
      const clock = { nowMs: 0 };
      const pruner = start(lifetime, clock);
      const provider = new StrictProvider();
      const reads: number[] = [];
      for (const [at, minutes] of [0, 30].entries()) {
        clock.nowMs += minutes * MINUTE_MS;
        const { body: sent } = await pruner.prune({ body: body(at + 1), conversation: 'c' });
        const answer = provider.receive({ api: 'anthropic-messages', body: sent }, clock.nowMs);
        if (answer.status !== 200) throw new Error(answer.message);
        reads.push(answer.tokens.read);
      }
      return reads;
    };
    expect(await read('agent')).toEqual([0, 0]);
    expect((await read('1h'))[1]).toBeGreaterThan(60_000);
  });
});
