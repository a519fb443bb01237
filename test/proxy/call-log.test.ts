import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallLog, CURRENT_CALLS } from '../../src/proxy/call-log.ts';
import { callOf } from './live-calls.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const calls = Array.from({ length: 100 }, (_, minute) => callOf({ minute, prompt: 1_000 + minute }));

test('calls that end at once are all written, in their order', async () => {
  const log = new CallLog(folder);
  const told = await Promise.all(calls.map((call) => log.append(call)));
  await log.close();
  expect(told.filter(Boolean)).toEqual([]);
  const lines = readFileSync(path.join(folder, CURRENT_CALLS), 'utf8').trimEnd().split('\n');
  expect(lines).toEqual(calls.map((call) => JSON.stringify(call)));
});

test('each call that could not be written is told, and later ones are written', async () => {
  const inner = path.join(folder, 'inner');
  writeFileSync(inner, 'no folder');
  const log = new CallLog(inner);
  const told = await Promise.all(calls.map((call) => log.append(call)));
  expect(told.filter((error) => error instanceof Error)).toHaveLength(calls.length);
  rmSync(inner);
  expect(await log.append(calls[0]!)).toBeUndefined();
  await log.close();
  expect(readFileSync(path.join(inner, CURRENT_CALLS), 'utf8')).toBe(`${JSON.stringify(calls[0])}\n`);
});
