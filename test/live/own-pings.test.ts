import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport, PrunerStore } from '../../src/live/contract.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { switchLine } from '../../src/live/stored-lines.ts';
import { staleRead } from './stale-reads.ts';

const MINUTE_MS = 60_000;
const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start '.repeat(3_000) },
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap(staleRead),
];

interface Clock {
  ms: number;
}
const prunerOf = (store: PrunerStore, now?: Clock): LivePruner =>
  new LivePruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    store,
    archive: async () => {},
    ...(now && { now: () => now.ms }),
  });

async function ask(pruner: LivePruner, count: number, cachedTokens?: number): Promise<PruneReport> {
  const body = { model: 'claude-opus-5', tools: [{ name: 'Read' }], messages: MESSAGES.slice(0, count) };
  const { report } = await pruner.prune({ body: Buffer.from(JSON.stringify(body)), conversation: 'c' });
  await pruner.observe(report, { status: 200, answerTokens: 20, ...(cachedTokens !== undefined && { cachedTokens }) });
  return report;
}

const mayPing = async (pruner: LivePruner, report: PruneReport): Promise<boolean> =>
  (await pruner.keepWarm(report)?.note()) ?? false;

/** A pruner that had an epoch after a long pause, and the report of then. */
async function afterEpoch(now: Clock, store: PrunerStore = memoryStore()) {
  const pruner = prunerOf(store, now);
  for (const count of [9, 13]) await ask(pruner, count);
  now.ms += 180 * MINUTE_MS;
  const last = await ask(pruner, 17, 0);
  expect(last.isEpoch).toBe(true);
  return { pruner, last };
}

describe('a ping of ours', () => {
  test('renews the clock: the pause after it counts from it', async () => {
    const causeAfter = async (pings: number): Promise<string | undefined> => {
      const now = { ms: 0 };
      const { pruner, last } = await afterEpoch(now);
      for (let ping = 0; ping < pings; ping++) {
        now.ms += 4.5 * MINUTE_MS;
        expect(await mayPing(pruner, last)).toBe(true);
      }
      now.ms += 4.5 * MINUTE_MS + (pings === 0 ? 9 * MINUTE_MS : 0);
      return (await ask(pruner, 25, 30_000)).decision?.cause;
    };
    expect(await causeAfter(0)).toBe('cold');
    expect(await causeAfter(2)).not.toBe('cold');
  });

  test('teaches nothing: a later pause without one is still a free moment', async () => {
    const now = { ms: 0 };
    const { pruner, last } = await afterEpoch(now);
    for (let ping = 0; ping < 3; ping++) {
      now.ms += 4.5 * MINUTE_MS;
      await mayPing(pruner, last);
    }
    now.ms += 4 * MINUTE_MS;
    await ask(pruner, 21, 30_000);
    now.ms += 60 * MINUTE_MS;
    expect((await ask(pruner, 25, 0)).decision?.cause).toBe('cold');
  });

  test('may follow only the newest request, and none that is beside the conversation', async () => {
    const now = { ms: 0 };
    const { pruner, last } = await afterEpoch(now);
    const noted = pruner.keepWarm(last);
    const next = await ask(pruner, 21);
    expect(await noted?.note()).toBe(false);
    expect(pruner.keepWarm(last)).toBeUndefined();
    const beside = await pruner.prune({
      body: { model: 'claude-opus-5', messages: MESSAGES.slice(0, 21) },
      conversation: 'c',
    });
    expect(pruner.keepWarm(beside.report)).toBeUndefined();
    const rewound = await ask(pruner, 19);
    expect(rewound.isBranch).toBe(true);
    expect(await mayPing(pruner, next)).toBe(false);
    expect(await mayPing(pruner, rewound)).toBe(true);
  });

  test('moves the clock of others that share the store, and is sent by one of them', async () => {
    const now = { ms: 0 };
    const store = { ...memoryStore(), isShared: true };
    const { pruner, last } = await afterEpoch(now, store);
    const other = prunerOf(store, now);
    const again = await ask(other, 21);
    expect(await mayPing(pruner, last)).toBe(false);
    now.ms += 4.5 * MINUTE_MS;
    expect(await mayPing(other, again)).toBe(true);
    now.ms += 4.5 * MINUTE_MS;
    expect((await ask(pruner, 25)).decision?.cause).not.toBe('cold');
  });
});

describe('in a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const lines = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('');

  test('it is written down before it is sent, also of a conversation that nothing was written of', async () => {
    const pruner = prunerOf(fileStore(folder));
    const { report: last } = await pruner.prune({
      body: { model: 'claude-opus-5', tools: [{}], messages: MESSAGES.slice(0, 1) },
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await mayPing(pruner, last)).toBe(true);
    expect(lines()).toContain('{"ping":true}');
  });

  test('only one of two processes sends it', async () => {
    const [one, other] = [prunerOf(fileStore(folder)), prunerOf(fileStore(folder))];
    const reports = [await ask(one, 3), await ask(other, 3)] as const;
    expect([await mayPing(one, reports[0]), await mayPing(other, reports[1])]).toEqual([false, true]);
    const pruners = Array.from({ length: 4 }, () => prunerOf(fileStore(folder)));
    const last: PruneReport[] = [];
    for (const pruner of pruners) last.push(await ask(pruner, 3));
    const may = await Promise.all(pruners.map((pruner, at) => mayPing(pruner, last[at]!)));
    expect(may.filter(Boolean).length).toBeLessThanOrEqual(1);
  });

  test('none is sent once the conversation is switched off', async () => {
    const store = fileStore(folder);
    const pruner = prunerOf(store);
    const last = await ask(pruner, 3);
    expect(await mayPing(pruner, last)).toBe(true);
    await store.append(last.conversation!, [switchLine('off')]);
    expect(await mayPing(pruner, last)).toBe(false);
  });

  test('a restart in a pause that was bridged takes the cache as warm', async () => {
    const hoursPass = (): void => {
      const before = (Date.now() - 3 * 60 * MINUTE_MS) / 1000;
      for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), before, before);
    };
    const causeAfter = async (isBridged: boolean): Promise<string | undefined> => {
      rmSync(folder, { recursive: true });
      const pruner = prunerOf(fileStore(folder));
      let last: PruneReport | undefined;
      for (let count = 1; count < 20; count += 2) last = await ask(pruner, count);
      hoursPass();
      if (isBridged) expect(await mayPing(pruner, last!)).toBe(true);
      return (await ask(prunerOf(fileStore(folder)), 21)).decision?.cause;
    };
    expect(await causeAfter(false)).toBe('cold');
    expect(await causeAfter(true)).not.toBe('cold');
  });
});
