import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lastUsage } from '../../../../src/cli/commands/statusline/last-usage.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-usage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answer = (inputTokens: number): string =>
  JSON.stringify({ type: 'assistant', message: { model: 'm', usage: { input_tokens: inputTokens } } });

test('the last call is found where it follows another record on its line, or NUL bytes', () => {
  const file = path.join(folder, 'transcript.jsonl');
  const tokensIn = (text: string): number | undefined => {
    writeFileSync(file, text);
    return lastUsage(file, text.length)?.promptTokens;
  };
  expect(tokensIn(`${answer(7)}\n${answer(8)}\n`)).toBe(8);
  expect(tokensIn(`${answer(7)}${answer(8)}\n`)).toBe(8);
  expect(tokensIn(`${answer(7)}\n\0\0\0${answer(8)}\n`)).toBe(8);
  expect(tokensIn(`${answer(7)}\n{"type":"assistant","mess${answer(8)}\n{"type":"assistant","message":{"usage":`)).toBe(
    8,
  );
});
