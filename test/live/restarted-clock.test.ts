import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport } from '../../src/live/contract.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { staleRead } from './stale-reads.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'clock-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGES: readonly object[] = [
  { role: 'user', content: 'start' },
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap(staleRead),
];

/** Sends the first so many messages by a program of its own. */
async function send(...counts: readonly number[]): Promise<PruneReport> {
  const pruner = createPruner({
    api: 'anthropic-messages',
    vocabulary: claudeCode,
    workspaceRoot: '/',
    store: fileStore(folder),
    archive: async () => {},
  });
  let report: PruneReport | undefined;
  for (const count of counts) {
    const body = { model: 'claude-opus-5', tools: [{ name: 'Read' }], messages: MESSAGES.slice(0, count) };
    report = (await pruner.prune({ body, conversation: 'c' })).report;
  }
  return report!;
}

/** All requests of one program, until something was written down. */
const FIRST = Array.from({ length: 10 }, (_, at) => 2 * at + 1);

function hoursPass(): void {
  const before = (Date.now() - 3 * 60 * 60_000) / 1000;
  for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), before, before);
}

test('a pause while no program ran counts by the last line that was written', async () => {
  await send(...FIRST);
  hoursPass();
  expect((await send(25)).decision?.cause).not.toBe('cold');
  rmSync(folder, { recursive: true });
  await send(...FIRST);
  hoursPass();
  expect((await send(21)).decision?.cause).toBe('cold');
});

test('a program that is started again at once knows that the cache is warm', async () => {
  await send(...FIRST);
  expect((await send(21)).decision?.cause).not.toBe('cold');
});
