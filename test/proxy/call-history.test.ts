import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CacheAccount, rowsOf } from '../../src/economics/account/cache-account.ts';
import { GuardLog } from '../../src/guard/guard-log.ts';
import { CallLog, FULL_CALLS } from '../../src/proxy/call-log.ts';
import { callHistory, loggedConversations, sumOldCalls } from '../../src/proxy/ledger/call-history.ts';
import { callOf, changeOf, decisionOf } from './live-calls.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'calls-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MAX_BYTES = 4_000;
const CALLS = 60;
const full = (): string[] => readdirSync(folder).filter((name) => FULL_CALLS.test(name));

/** Calls of two agents, every tenth with a removed result, through two logs of one folder. */
async function write(): Promise<void> {
  const logs = [0, 1].map(() => new CallLog(folder, { mostBytes: MAX_BYTES }));
  for (let minute = 0; minute < CALLS; minute++) {
    const removed = { savedTokens: 500, changed: [changeOf(500)], ...decisionOf('unsent') };
    const facts = { minute, prompt: 20_000 + minute, agent: minute % 3 === 0 ? 'codex' : 'claude-code' };
    const call = callOf({ ...facts, ...(minute % 10 === 0 && { report: removed }) });
    expect(await logs[minute % 2]!.append(call)).toBeUndefined();
  }
  for (const log of logs) await log.close();
}

async function sums() {
  const { agents, all } = await callHistory(folder, 0);
  const { calls, promptTokens, savedTokens, changedResults, reasons, net } = all.numbers();
  const dollars = all.numbers().dollars.toFixed(6);
  const byAgent = [...agents].map(([name, { ledger }]) => [name, ledger.numbers().calls] as const).sort();
  const results = net.map((one) => [one.cause, one.results]);
  return { calls, promptTokens, savedTokens, changedResults, reasons, dollars, byAgent, results };
}

test('a log of two processes grows into files of a limited size, and all of them count', async () => {
  await write();
  expect(full().length).toBeGreaterThan(5);
  for (const name of full()) expect(statSync(path.join(folder, name)).size).toBeLessThan(MAX_BYTES + 2_000);
  const promptTokens = Array.from({ length: CALLS }, (_, at) => 20_000 + at).reduce((sum, one) => sum + one, 0);
  expect(await sums()).toMatchObject({
    calls: CALLS,
    promptTokens,
    savedTokens: 3_000,
    changedResults: 6,
    results: [['unsent', 6]],
    byAgent: [
      ['claude-code', 40],
      ['codex', 20],
    ],
  });
});

test('old files become sums: nothing is lost, also if it is done twice or was interrupted', async () => {
  await write();
  const before = await sums();
  const [oldest] = full().sort();
  const copy = path.join(folder, 'copy');
  copyFileSync(path.join(folder, oldest!), copy);
  await Promise.all([sumOldCalls(folder, 2), sumOldCalls(folder, 2)]);
  expect(full()).toHaveLength(2);
  expect(await sums()).toEqual(before);
  // As if the program had been killed before the file was removed.
  copyFileSync(copy, path.join(folder, oldest!));
  expect(await sums()).toEqual(before);
  await sumOldCalls(folder, 2);
  expect(full()).toHaveLength(2);
  expect(await sums()).toEqual(before);
});

test('the account of old files is kept in their sums; sums of earlier versions have none, and are not told apart', async () => {
  await write();
  await sumOldCalls(folder, 2);
  const summed = (await callHistory(folder, 0)).all.numbers();
  expect(rowsOf(summed.account)).not.toContain('untold');
  const total = (account: CacheAccount) => rowsOf(account).reduce((sum, row) => sum + account[row]!.dollars, 0);
  expect(total(summed.account)).toBeCloseTo(summed.dollars, 9);
  const file = path.join(folder, 'calls-summed.jsonl');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { sums: object[] });
  const earlier = lines.map(({ sums: all, ...rest }) => ({
    ...rest,
    sums: all.map((one) => ({ ...one, account: undefined, changes: undefined, warm: undefined, misses: [] })),
  }));
  writeFileSync(file, earlier.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { account, dollars } = (await callHistory(folder, 0)).all.numbers();
  expect(account.untold!.dollars).toBeGreaterThan(0);
  expect(total(account)).toBeCloseTo(dollars, 9);
  expect(dollars).toBeCloseTo(summed.dollars, 9);
});

test('sums of files whose last call is older than asked for are left out', async () => {
  await write();
  await sumOldCalls(folder, 1);
  const { agents, all } = await callHistory(folder, Date.now() + 24 * 60 * 60_000);
  expect([agents.size, all.numbers().calls]).toEqual([0, 0]);
});

test('the total of all time has older calls too, and none in shadow mode', async () => {
  await write();
  const log = new CallLog(folder, { mostBytes: MAX_BYTES });
  await log.append(callOf({ minute: 0, isShadow: true }));
  await log.close();
  const { all, allTime } = await callHistory(folder, Date.now() + 24 * 60 * 60_000);
  expect([all.numbers().calls, allTime.numbers().calls]).toEqual([0, CALLS]);
  await sumOldCalls(folder, 0);
  expect((await callHistory(folder, 0)).allTime.numbers().calls).toBe(CALLS);
});

test('lists the conversations whose calls are kept, the last used one first, by names that are no paths', async () => {
  const log = new CallLog(folder, { mostBytes: 1_000 });
  const [one, other] = ['ab', 'cd'].map((start) => start.padEnd(64, '0'));
  for (const [minute, conversation] of [one, other, '../../elsewhere', other, one, 'ef'.padEnd(64, '/')].entries())
    await log.append(callOf({ minute, report: { conversation: conversation! } }));
  await log.append({
    ...callOf({ minute: 9, isCount: true }),
    report: callOf({ report: { conversation: other! } }).report,
  });
  await log.close();
  expect(full()).not.toEqual([]);
  expect(await loggedConversations(folder)).toMatchObject([
    { key: one, name: 'ab000000', agent: 'claude-code', model: 'claude-sonnet-4-5', calls: 2 },
    { key: other, name: 'cd000000', calls: 2 },
  ]);
});

test('copied markers are counted from calls, also those that were summed, and from what was refused', async () => {
  const log = new CallLog(folder, { mostBytes: 1 });
  for (const minute of [0, 1, 2])
    await log.append(callOf({ minute, prompt: 1_000, report: { changed: [{ ...changeOf(-60), kind: 'told' }] } }));
  await log.close();
  const guard = new GuardLog(folder);
  const noted = { agent: 'pi', session: '5e55', tool: 'write', standsFor: 'Read a.ts, removed', call: 'ca11' };
  for (const kind of ['refused', 'passed'] as const) await guard.add({ ...noted, kind, at: 1 });
  const counted = async () => {
    const { all, agents } = await callHistory(folder, 0);
    return [
      all.numbers().copiedMarkers,
      agents.get('pi')?.ledger.numbers().copiedMarkers,
      all.numbers().changedResults,
    ];
  };
  const expected = [{ refused: 1, told: 3, passed: 1 }, { refused: 1, told: 0, passed: 1 }, 0];
  expect(await counted()).toEqual(expected);
  await sumOldCalls(folder, 0);
  expect(await counted()).toEqual(expected);
  expect((await callHistory(folder, Number.POSITIVE_INFINITY)).all.numbers().copiedMarkers.refused).toBe(0);
});
