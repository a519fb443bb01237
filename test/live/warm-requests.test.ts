import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport, Pruner, PrunerStore } from '../../src/live/contract.ts';
import { isWarmRequest } from '../../src/live/conversation/warm-request.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { bytesList } from '../../src/live/request/bytes-list.ts';
import { objectList } from '../../src/live/request/object-list.ts';
import type { RequestList } from '../../src/live/request/request-list.ts';
import { Slices } from '../../src/live/turn/slices.ts';
import { staleRead } from './stale-reads.ts';

const MINUTE_MS = 60_000;
const MODEL = 'claude-opus-5';
const TOOLS = [{ name: 'Read' }];
const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start '.repeat(3_000) },
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap(staleRead),
];

/** A request in the order of fields of pi 1.6.0: the limit is behind the messages. */
const requestOf = (count: number, fields: object = {}): object => ({
  model: MODEL,
  messages: MESSAGES.slice(0, count),
  max_tokens: 32_000,
  stream: true,
  tools: TOOLS,
  ...fields,
});
const bytesOf = (count: number, fields?: object): Buffer => Buffer.from(JSON.stringify(requestOf(count, fields)));
const textOf = (body: object): string => Buffer.from(body as Uint8Array).toString();
const PING = { max_tokens: 1 };

const LISTS: [string, (body: object, key: string) => Promise<RequestList>][] = [
  [
    'bytes',
    (body, key) => bytesList(Buffer.from(JSON.stringify(body)), { key, before: undefined, slices: new Slices(1_000) }),
  ],
  ['objects', async (body, key) => objectList(body, key)],
];

describe.each(LISTS)('as %s, a request with the smallest answer', (_, listOf) => {
  const isWarm = async (one: object, other: object, key = 'messages'): Promise<boolean> =>
    isWarmRequest(await listOf(one, key), await listOf(other, key));

  test('is warm if it is the last one otherwise, whatever the order of its fields', async () => {
    expect(await isWarm(requestOf(5), requestOf(5, PING))).toBe(true);
    expect(await isWarm(requestOf(5), requestOf(5, { max_tokens: 0, stream: false }))).toBe(true);
    expect(await isWarm(requestOf(5), { max_tokens: 1, ...requestOf(5, PING) })).toBe(true);
    expect(
      await isWarm(requestOf(5), { tools: TOOLS, max_tokens: 1, model: MODEL, messages: MESSAGES.slice(0, 5) }),
    ).toBe(true);
  });

  test.each([
    ['Chat', 'messages', { max_completion_tokens: 9_000 }, { max_completion_tokens: 1 }],
    ['Responses, which takes no less', 'input', { max_output_tokens: 9_000 }, { max_output_tokens: 16 }],
    ['Responses, without a limit before', 'input', {}, { max_output_tokens: 16 }],
    [
      'Gemini',
      'contents',
      { generationConfig: { temperature: 0, maxOutputTokens: 9_000 } },
      { generationConfig: { temperature: 0, maxOutputTokens: 1 } },
    ],
  ])('is warm in the form of %s', async (_api, key, before, ping) => {
    const given = { model: 'm', [key]: [{ role: 'user', content: 'a' }], tools: TOOLS };
    expect(await isWarm({ ...given, ...before }, { ...given, ...ping }, key)).toBe(true);
    expect(await isWarm({ ...given, ...before }, { ...given, ...before }, key)).toBe(false);
  });

  test.each([
    ['an answer of two tokens', requestOf(5, { max_tokens: 2 })],
    ['no limit', requestOf(5, { max_tokens: undefined })],
    ['more messages', requestOf(6, PING)],
    ['fewer messages', requestOf(4, PING)],
    [
      'another message',
      requestOf(5, { ...PING, messages: [...MESSAGES.slice(0, 4), { role: 'user', content: 'hi' }] }),
    ],
    ['another model', requestOf(5, { ...PING, model: 'claude-opus-5-5' })],
    ['other tools', requestOf(5, { ...PING, tools: [...TOOLS, { name: 'Bash' }] })],
    ['another system prompt', requestOf(5, { ...PING, system: 'You are a poet.' })],
    ['other thinking', requestOf(5, { ...PING, thinking: { type: 'adaptive' } })],
  ])('is not warm with %s', async (_name, next) => {
    expect(await isWarm(requestOf(5), next)).toBe(false);
  });
});

interface Clock {
  ms: number;
}
const prunerOf = (store: PrunerStore, now?: Clock): Pruner =>
  createPruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    store,
    archive: async () => {},
    ...(now && { now: () => now.ms }),
  });

interface Sent {
  readonly text: string;
  readonly report: PruneReport;
}
async function ask(pruner: Pruner, count: number, fields: object = {}, cachedTokens?: number): Promise<Sent> {
  const { body, report } = await pruner.prune({ body: bytesOf(count, fields), conversation: 'c' });
  await pruner.observe(report, { status: 200, answerTokens: 20, ...(cachedTokens !== undefined && { cachedTokens }) });
  return { text: textOf(body), report };
}

const asPing = (text: string): string => text.replace('"max_tokens":32000', '"max_tokens":1');

/** A pruner that had an epoch after a long pause, and the request of then. */
async function afterEpoch(now: Clock, store: PrunerStore = memoryStore()) {
  const pruner = prunerOf(store, now);
  for (const count of [9, 13]) await ask(pruner, count);
  now.ms += 180 * MINUTE_MS;
  const last = await ask(pruner, 17, {}, 0);
  expect(last.report.isEpoch).toBe(true);
  return { pruner, last };
}

describe('a ping of the agent', () => {
  test('has the bytes of the last request, and is named', async () => {
    const now = { ms: 0 };
    const { pruner, last } = await afterEpoch(now);
    now.ms += 4.5 * MINUTE_MS;
    const ping = await ask(pruner, 17, PING, 30_000);
    expect(ping.text === asPing(last.text)).toBe(true);
    expect(ping.report).toMatchObject({ isPing: true, changed: [], projected: last.report.projected, isEpoch: false });
    expect(ping.report.decision).toBeUndefined();
    expect(ping.report.conversation).toBe(last.report.conversation);
  });

  test.each([1, 13])('decides nothing when the cache has expired, of a list of %i', async (count) => {
    const now = { ms: 0 };
    const pruner = prunerOf(memoryStore(), now);
    if (count > 9) await ask(pruner, 9);
    const last = await ask(pruner, count);
    now.ms += 180 * MINUTE_MS;
    const ping = await ask(pruner, count, PING, 0);
    expect(ping.text === asPing(last.text)).toBe(true);
    expect(ping.report).toMatchObject({ isPing: true, changed: [] });
  });

  test('is no part of the conversation: the next request continues the last one', async () => {
    const now = { ms: 0 };
    const { pruner, last } = await afterEpoch(now);
    await ask(pruner, 17, PING);
    const next = await ask(pruner, 21);
    expect(next.report.isBranch).toBeUndefined();
    const messages = (text: string): object[] => (JSON.parse(text) as { messages: object[] }).messages;
    expect(messages(next.text).slice(0, 17)).toEqual(messages(last.text));
  });

  test('renews the clock: the pause after it counts from it', async () => {
    const causeAfter = async (pings: number): Promise<string | undefined> => {
      const now = { ms: 0 };
      const { pruner } = await afterEpoch(now);
      for (let ping = 0; ping < pings; ping++) {
        now.ms += 4.5 * MINUTE_MS;
        await ask(pruner, 17, PING, 30_000);
      }
      now.ms += 4.5 * MINUTE_MS + (pings === 0 ? 9 * MINUTE_MS : 0);
      return (await ask(pruner, 25)).report.decision?.cause;
    };
    expect(await causeAfter(0)).toBe('cold');
    expect(await causeAfter(2)).not.toBe('cold');
  });

  test('teaches nothing about the cache: a pause without one still counts as cold', async () => {
    const now = { ms: 0 };
    const { pruner } = await afterEpoch(now);
    now.ms += 60 * MINUTE_MS;
    await ask(pruner, 17, PING, 30_000);
    now.ms += 60 * MINUTE_MS;
    expect((await ask(pruner, 25, {}, 0)).report.decision?.cause).toBe('cold');
  });

  test('is one after a branch was left: only the last request of a branch can be repeated', async () => {
    const now = { ms: 0 };
    const { pruner } = await afterEpoch(now);
    await ask(pruner, 21);
    const old = await ask(pruner, 17, PING);
    expect(old.report.isPing).toBeUndefined();
    expect(old.report.changed).toEqual([]);
    expect((await ask(pruner, 25)).report.isBranch).toBeUndefined();
  });

  test('with other tools is beside the conversation, and does not renew the clock', async () => {
    const now = { ms: 0 };
    const { pruner } = await afterEpoch(now);
    now.ms += 4 * MINUTE_MS;
    const other = await ask(pruner, 17, { ...PING, model: 'claude-haiku-4-5' });
    expect(other.report.isPing).toBeUndefined();
    now.ms += 4 * MINUTE_MS;
    expect((await ask(pruner, 25)).report.decision?.cause).toBe('cold');
  });

  test('renews the clock of others that share the store', async () => {
    const causeAfter = async (fields: object): Promise<string | undefined> => {
      const now = { ms: 0 };
      const store = { ...memoryStore(), isShared: true };
      const { pruner } = await afterEpoch(now, store);
      const other = prunerOf(store, now);
      now.ms += 4 * MINUTE_MS;
      const { report } = await ask(other, 17, fields, 30_000);
      expect(report.isPing).toBe(true);
      now.ms += 4 * MINUTE_MS;
      return (await ask(pruner, 25)).report.decision?.cause;
    };
    expect(await causeAfter(PING)).not.toBe('cold');
  });
});

describe('after a restart', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'warm-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const hoursPass = (): void => {
    const before = (Date.now() - 3 * 60 * MINUTE_MS) / 1000;
    for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), before, before);
  };
  const program = (): Pruner => prunerOf(fileStore(folder));
  /** Until something is written down. */
  const first = async (): Promise<Sent> => {
    const pruner = program();
    for (let count = 1; count < 19; count += 2) await ask(pruner, count);
    return ask(pruner, 19);
  };

  test('it has the frozen texts, and the next program counts from it', async () => {
    const last = await first();
    expect(last.report.projected).toBeGreaterThan(0);
    hoursPass();
    const ping = await ask(program(), 19, PING, 30_000);
    expect(ping.text === asPing(last.text)).toBe(true);
    expect(ping.report.isPing).toBe(true);
    expect((await ask(program(), 21)).report.decision?.cause).not.toBe('cold');
  });

  test('without it the pause counts', async () => {
    await first();
    hoursPass();
    expect((await ask(program(), 21)).report.decision?.cause).toBe('cold');
  });
});
