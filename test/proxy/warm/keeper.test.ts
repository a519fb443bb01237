import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/durations.ts';
import { LIFETIME_MS, settled, type TrialTalk, WarmTrial } from './warm-trial.ts';

const PAUSE_MS = 14 * MINUTE_MS;
const isNoAnswer = (body: unknown): boolean => (body as { max_tokens: number }).max_tokens === 0;
const count = ({ provider }: WarmTrial): number => provider.pings.length;

describe('in a pause', () => {
  test('pings keep the prompt, and the call after it reads all of it', async () => {
    const trial = new WarmTrial();
    const talk = await trial.begun('talk', { calls: 'Bash' });
    await trial.time.pass(PAUSE_MS);
    expect(trial.provider.pings.map(({ idleMs }) => idleMs)).toEqual([285_000, 285_000]);
    const kept = trial.calls.map(({ usage }) => usage!.cachedTokens);
    expect(kept[1]).toBe(kept[0]);
    const { cachedTokens } = await trial.ask(talk);
    expect(cachedTokens).toBe(kept[0]);
  });

  test('a ping is the last request for no answer, and nothing else of it is different', async () => {
    const trial = new WarmTrial();
    const headers = { 'idempotency-key': 'once', 'x-stainless-retry-count': '1' };
    const { lastBody } = await trial.begun('talk', { headers });
    await trial.time.pass(LIFETIME_MS);
    const { stream, ...rest } = JSON.parse(lastBody);
    expect(stream).toBe(true);
    expect(trial.provider.pings[0]?.body).toEqual({ ...rest, max_tokens: 0 });
    expect(trial.provider.pings[0]?.headers).toEqual(['x-api-key', 'key', 'x-session-id', 'talk']);
  });

  test('its cost is told, and is nothing that the conversation learns', async () => {
    const trial = new WarmTrial();
    const talk = await trial.begun();
    await trial.time.pass(PAUSE_MS);
    expect(trial.calls).toHaveLength(2);
    expect(trial.calls[0]).toMatchObject({
      status: 200,
      ownPing: { lifetimeMs: LIFETIME_MS },
      report: { isPing: true },
    });
    const { report } = await trial.ask(talk);
    expect(report?.isBranch).toBeUndefined();
    expect(report?.isPing).toBeUndefined();
  });

  test('a prompt that is marked for an hour is kept by one ping an hour', async () => {
    const trial = new WarmTrial();
    await trial.begun('hour', { calls: 'Bash', ttl: '1h' });
    await trial.time.pass(HOUR_MS);
    expect(trial.provider.pings.map(({ idleMs }) => idleMs)).toEqual([0.95 * HOUR_MS]);
  });

  test('nothing is sent in a short one, or where it does not pay', async () => {
    const trial = new WarmTrial();
    const talk = await trial.begun();
    await trial.time.pass(4 * MINUTE_MS);
    await trial.ask(talk);
    await trial.time.pass(4 * MINUTE_MS);
    expect(count(trial)).toBe(0);
    const costly = new WarmTrial({ coldGain: 100 });
    await costly.begun();
    await costly.time.pass(PAUSE_MS);
    expect(count(costly)).toBe(0);
  });

  test('pings that no call repays cost at most 3% of the bill', async () => {
    const trial = new WarmTrial();
    await trial.begun('talk', { calls: 'Bash' });
    await trial.time.pass(10 * HOUR_MS);
    expect(count(trial)).toBeGreaterThan(1);
    expect(count(trial)).toBeLessThan(40);
  });
});

describe('no ping is sent', () => {
  test.each<[string, (trial: WarmTrial, talk: TrialTalk) => unknown]>([
    ['after the end of the agent', ({ keeper }) => keeper.close()],
    ['after the agent hung up', (trial, talk) => trial.ask(talk, { isBrokenOff: true })],
    ['after 429', (trial, talk) => trial.ask(talk, { load: { status: 429 } })],
    ['after 529', (trial, talk) => trial.ask(talk, { load: { status: 529 } })],
    ['after a refusal', (trial, talk) => trial.ask(talk, { stopReason: 'refusal' })],
    [
      'with less than a fifth of a limit left',
      (trial, talk) => trial.ask(talk, { load: { left: { requests: 0.15 } } }),
    ],
    [
      'with the login of a plan',
      (trial, talk) => trial.ask(talk, { headers: { authorization: 'Bearer sk-ant-oat01-x' } }),
    ],
    ['at a higher price', (trial, talk) => trial.ask(talk, { fields: { speed: 'fast' } })],
    ['where the agent keeps it warm', (trial, talk) => trial.ask(talk, { isPing: true })],
    ['where the computer slept', ({ time }) => time.sleep(2 * MINUTE_MS)],
    ['where its clock was set forward', ({ time }) => time.set(MINUTE_MS)],
    ['where its clock was set back', ({ time }) => time.set(-MINUTE_MS)],
    ['where nothing is known of a request', ({ keeper }) => keeper.begin(undefined, {})],
  ])('%s', async (_, happens) => {
    const trial = new WarmTrial();
    const talk = await trial.begun();
    await happens(trial, talk);
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(0);
    expect(trial.held.bytes).toBe(0);
  });

  test('while a request of the conversation is in flight', async () => {
    const trial = new WarmTrial();
    const talk = await trial.begun();
    await trial.ask(talk, { tookMs: 20 * MINUTE_MS });
    expect(count(trial)).toBe(0);
  });

  test('after a timer that was late', async () => {
    const trial = new WarmTrial();
    await trial.begun();
    await trial.time.pass(4 * MINUTE_MS);
    trial.time.trueMs += MINUTE_MS - 6_000;
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(0);
  });

  test('where it was turned off meanwhile', async () => {
    let isOn = true;
    const trial = new WarmTrial({ isAllowed: async () => isOn });
    await trial.begun();
    await trial.time.pass(LIFETIME_MS);
    isOn = false;
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(1);
    expect(trial.held.bytes).toBe(0);
  });

  test('for a person, where the end of the agent is not seen', async () => {
    const trial = new WarmTrial({ isOneAgent: false });
    await trial.begun('person');
    await trial.begun('tool', { calls: 'Bash' });
    await trial.time.pass(LIFETIME_MS);
    expect(trial.provider.pings.map(({ conversation }) => conversation)).toEqual(['tool']);
  });

  test('over the amount of a day', async () => {
    const trial = new WarmTrial({ dollarsPerDay: 0.001 });
    await trial.begun();
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(0);
  });

  test('for requests that do not fit into the stated memory', async () => {
    const trial = new WarmTrial();
    trial.held.take(30 * 1024 * 1024);
    trial.held.take(34 * 1024 * 1024 - 1_000);
    await trial.begun();
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(0);
  });
});

describe('of several conversations', () => {
  test('one that was left by a new one is not kept', async () => {
    const trial = new WarmTrial();
    await trial.begun('before');
    await trial.begun('after');
    await trial.time.pass(LIFETIME_MS);
    expect(trial.provider.pings.map(({ conversation }) => conversation)).toEqual(['after']);
  });

  test('one that waits for a sub-agent is kept, and the sub-agent not after its answer', async () => {
    const trial = new WarmTrial();
    await trial.begun('main', { calls: 'Task' });
    const helper = await trial.begun('helper', { calls: 'Bash' });
    await trial.time.pass(LIFETIME_MS);
    expect(trial.provider.pings.map(({ conversation }) => conversation).sort()).toEqual(['helper', 'main']);
    await trial.ask(helper);
    await trial.time.pass(LIFETIME_MS);
    expect(trial.provider.pings.map(({ conversation }) => conversation).slice(2)).toEqual(['main']);
  });

  test('a rewind replaces what was kept', async () => {
    const trial = new WarmTrial();
    const talk = await trial.begun();
    talk.messages.splice(2);
    await trial.ask(talk);
    await trial.time.pass(LIFETIME_MS);
    expect(trial.provider.pings).toHaveLength(1);
    expect(trial.provider.pings[0]?.body['messages']).toHaveLength(3);
  });
});

describe('what the answer of a ping says', () => {
  test.each([
    ['429', { status: 429 as const }],
    ['529', { status: 529 as const }],
    ['less than a fifth of a limit', { left: { tokens: 0.1 } }],
  ])('%s ends the pause', async (_, load) => {
    const trial = new WarmTrial();
    await trial.begun();
    trial.provider.load = load;
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(1);
  });

  test('a read that is too small ends the pause, two in a row all pings until tomorrow', async () => {
    const trial = new WarmTrial({ isOneAgent: false });
    const { provider } = trial.provider;
    // Another account has nothing of it in its cache.
    const receive = provider.receive.bind(provider);
    provider.receive = (request, atMs) =>
      receive(isNoAnswer(request.body) ? { ...request, account: `other ${atMs}` } : request, atMs);
    const pinged = (): string[] => trial.provider.pings.map(({ conversation }) => conversation);
    for (const name of ['a', 'b', 'c']) {
      await trial.begun(name, { calls: 'Bash' });
      await trial.time.pass(PAUSE_MS);
    }
    expect(pinged()).toEqual(['a', 'b']);
    provider.receive = receive;
    const talk = await trial.begun('d', { calls: 'Bash' });
    await trial.time.pass(24 * HOUR_MS);
    expect(pinged()).toEqual(['a', 'b']);
    for (let call = 0; call < 3; call++) await trial.ask(talk, { calls: 'Bash' });
    await trial.time.pass(LIFETIME_MS);
    expect(pinged()).toEqual(['a', 'b', 'd']);
  });

  test('one that never comes is given up, and counts as a whole read', async () => {
    const trial = new WarmTrial();
    await trial.begun();
    trial.provider.pingMs = Number.POSITIVE_INFINITY;
    await trial.time.pass(PAUSE_MS);
    expect(count(trial)).toBe(1);
    expect(trial.calls).toMatchObject([{ status: 0, usage: { cachedTokens: expect.any(Number) } }]);
    expect(trial.calls[0]!.usage!.cachedTokens).toBeGreaterThan(10_000);
    expect(trial.held.bytes).toBe(0);
  });
});

test('a request that arrives during a ping does not wait for it, and the ping is given up', async () => {
  const trial = new WarmTrial();
  const talk = await trial.begun();
  trial.provider.pingMs = Number.POSITIVE_INFINITY;
  await trial.time.pass(LIFETIME_MS - 10_000);
  expect(count(trial)).toBe(1);
  const { status } = await trial.ask(talk);
  await settled();
  expect(status).toBe(200);
  expect(trial.calls).toMatchObject([{ status: 0 }]);
});

test('says once why a login of a plan gets none', async () => {
  const trial = new WarmTrial();
  await trial.begun('talk', { headers: { authorization: 'Bearer sk-ant-oat01-x' } });
  expect(new Set(trial.troubles)).toEqual(
    new Set([
      'keep-warm sends nothing: the agent uses the login of a plan, and pings are sent only with a key of the API',
    ]),
  );
});
