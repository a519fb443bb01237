import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { REPORTED } from '../../../src/formats/usage/usage-report.ts';
import { glimpse } from '../../../src/sessions/places/session-glimpse.ts';
import type { SessionPlace } from '../../../src/sessions/places/session-places.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-glimpse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place: SessionPlace = {
  agent: 'Claude Code',
  folder,
  isSession: () => true,
  tokensPerByte: 0.1,
  unseenTokens: 20_000,
};
const tokensOf = (...lines: readonly object[]): number | undefined => tokensAt(place, ...lines);
function tokensAt(place: SessionPlace, ...lines: readonly object[]): number | undefined {
  const file = path.join(folder, 'session.jsonl');
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(file, text);
  return glimpse({ place, agent: place.agent, path: file, changedAt: 0, sizeBytes: text.length }).tokens;
}

const answer = { usage: { input_tokens: 10, cache_creation_input_tokens: 990, cache_read_input_tokens: 130_000 } };
const summary = { message: { content: 'x'.repeat(9970) }, isCompactSummary: true };

test('the size of a session is the last report of its provider, with system prompt and tools', () => {
  expect(tokensOf(answer)).toBe(131_000);
});

test('a report before a compaction is not the size: it is estimated from what was written since', () => {
  expect(tokensOf(answer, summary)).toBe(21_002);
  expect(tokensOf({ subtype: 'compact_boundary' }, summary, answer)).toBe(131_000);
});

test('a report on the line of a later compaction, or behind NUL bytes, is told from it', () => {
  const file = path.join(folder, 'session.jsonl');
  const tokensIn = (text: string): number | undefined => {
    writeFileSync(file, text);
    return glimpse({ place, agent: place.agent, path: file, changedAt: 0, sizeBytes: text.length }).tokens;
  };
  const [reported, compacted] = [answer, summary].map((line) => JSON.stringify(line));
  expect(tokensIn(`${reported}${compacted}\n`)).toBe(21_002);
  expect(tokensIn(`${compacted}\0\0\0${reported}\n`)).toBe(131_000);
  expect(tokensIn(`\0\0\0${reported}`)).toBe(131_000);
});

test('a report is found before a large result, and in a file with line breaks', () => {
  expect(tokensOf(answer, { message: 'x'.repeat(100_000) })).toBe(131_000);
  const file = path.join(folder, 'session.json');
  const text = JSON.stringify({ tokens: { input: 400, total: 4_000 } }, null, 2);
  writeFileSync(file, text);
  const found = { place, agent: place.agent, path: file, changedAt: 0, sizeBytes: text.length };
  expect(glimpse(found).tokens).toBe(4_000);
});

test('what Copilot CLI counts at the end of a run is the size, without tool definitions', () => {
  const counted = { currentTokens: 13_223, systemTokens: 8_696, conversationTokens: 98, toolDefinitionsTokens: 4_426 };
  expect(tokensOf({ type: 'session.shutdown', data: counted })).toBe(8_794);
});

test('where Copilot CLI went on after its count, or compacted, its file says nothing of the size', () => {
  const counted = { type: 'session.shutdown', data: { systemTokens: 8_696, conversationTokens: 98 } };
  const { tokensPerByte: _, ...unsized } = place;
  expect(tokensAt(unsized, counted)).toBe(8_794);
  expect(tokensAt(unsized, counted, { type: 'session.resume' }, { type: 'user.message' })).toBeUndefined();
  expect(tokensAt(unsized, { ...counted, type: 'session.compaction_start' })).toBe(8_794);
  expect(tokensAt(unsized, counted, { type: 'session.compaction_complete' })).toBeUndefined();
  expect(tokensAt(unsized, { type: 'user.message' })).toBeUndefined();
});

test('older versions of pi report the parts of a prompt without a total', () => {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const parts = { input: 1, output: 53, cacheRead: 176_585, cacheWrite: 1_019 };
  expect(tokensOf({ usage: { ...parts, cost } })).toBe(177_658);
  expect(tokensOf({ usage: { ...parts, totalTokens: 177_700, cost } })).toBe(177_700);
});

test('results that Codex writes between an answer and its report are sent with the next call', () => {
  const report = { type: 'event_msg', payload: { info: { last_token_usage: { total_tokens: 29_567 } } } };
  const result = (length: number) => ({
    type: 'response_item',
    payload: { type: 'function_call_output', output: 'x'.repeat(length) },
  });
  const notice = { type: 'event_msg', payload: { type: 'exec_command_end' } };
  const call = { type: 'response_item', payload: { type: 'function_call' } };
  const sized = (length: number): number => 29_567 + Math.round(JSON.stringify(result(length)).length / 4);
  expect(tokensOf(call, report)).toBe(29_567);
  expect(tokensOf(result(400), call, result(1_000), notice, report)).toBe(sized(1_000));
  expect(tokensOf(call, result(40_000), notice, report)).toBe(sized(40_000));
});

test('a report that stands beside an estimate of what is left does not count', () => {
  const before = { usage: { totalTokens: 4_000, [REPORTED]: { totalTokens: 9_000 } } };
  expect(tokensOf(before)).toBe(4_000);
  const parts = {
    ...answer.usage,
    iterations: [{ ...answer.usage, cache_creation: { ephemeral_5m_input_tokens: 0 } }],
  };
  const left = { input_tokens: 350, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  expect(tokensOf({ usage: { ...left, speed: 'standard', [REPORTED]: parts } })).toBe(350);
});

test('where no report is found, the size is estimated from the size of the file', () => {
  expect(tokensOf({ message: 'x'.repeat(9986) })).toBe(1_000);
  expect(tokensOf({ message: 'x'.repeat(299_986) })).toBe(50_000);
});
