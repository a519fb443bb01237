import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billTotals } from '../../src/cli/commands/bill/bill-totals.ts';
import { fileBytes } from '../../src/disk/file-bytes.ts';
import { rowsOf } from '../../src/economics/account/cache-account.ts';
import { CALL_PARTS, TOKEN_PARTS } from '../../src/economics/call-parts.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { billedSideCalls, recordedCalls } from '../../src/lab/recorded-bill.ts';
import { readSession } from '../../src/sessions/read-session.ts';
import { SAMPLES } from '../formats/samples.ts';
import { realSessions } from '../real-sessions.ts';

const MODELS = ['claude-opus-4-6', 'claude-opus-5-5', 'gpt-5.4', 'gpt-6.2-sol', 'deepseek-flash', 'no-such-model'];
const BESIDE: ReadonlySet<string> = new Set(CALL_PARTS.filter((part) => !TOKEN_PARTS.some((one) => one === part)));
const COUNT = /token|input|output|cache|prompt|total|thoughts|read|write|cached/i;

/** What an answer can be billed for beside tokens, in the words of the two large providers. */
const beside = fc.record(
  {
    speed: fc.constantFrom('standard', 'fast'),
    service_tier: fc.constantFrom('default', 'priority', 'batch', 'flex', null),
    cache_creation: fc.record({ ephemeral_1h_input_tokens: fc.nat(100) }),
    inference_geo: fc.constantFrom('us', 'global', 'not_available', 'mars'),
    server_tool_use: fc.record({ web_search_requests: fc.nat(50), code_execution_requests: fc.nat(2) }),
    iterations: fc.array(
      fc.record(
        {
          type: fc.constantFrom('message', 'compaction', 'advisor_message', 'fallback_message', 'unheard'),
          model: fc.constantFrom(...MODELS),
          input_tokens: fc.nat(200_000),
          cache_read_input_tokens: fc.nat(200_000),
          cache_creation_input_tokens: fc.nat(10_000),
          output_tokens: fc.nat(5_000),
        },
        { requiredKeys: ['type', 'input_tokens'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

/** The value with other counts, models and parts wherever it has some. */
function billedOtherwise(value: unknown, next: { count(): number; model(): string; beside(): object }): unknown {
  if (Array.isArray(value)) return value.map((one) => billedOtherwise(one, next));
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (typeof one === 'number' && COUNT.test(key)) return [key, next.count()];
      if (typeof one === 'string' && (key === 'model' || key === 'modelID')) return [key, next.model()];
      return [key, billedOtherwise(one, next)];
    }),
  );
  const isUsage = 'output_tokens' in changed && 'input_tokens' in changed;
  return isUsage || changed['type'] === 'token_count' ? { ...changed, ...next.beside() } : changed;
}

/** The text with each JSON value in it changed: the whole, or each line. */
function changedText(text: string, next: Parameters<typeof billedOtherwise>[1]): string {
  try {
    return JSON.stringify(billedOtherwise(JSON.parse(text), next));
  } catch {
    const lines = text.split('\n');
    return lines.length === 1 ? text : lines.map((line) => changedText(line, next)).join('\n');
  }
}

describe('the parts of a bill', () => {
  test('and the rows of its account sum up to its dollars, in every format that records usage', () => {
    const billedFormats = new Set<string>();
    const billedParts = new Set<string>();
    const spentOn = new Set<string>();
    for (const format of SESSION_FORMATS) {
      const sample = SAMPLES[format.name]!;
      fc.assert(
        fc.property(fc.constantFrom(...sample.texts), fc.gen(), (text, gen) => {
          const next = {
            count: () => gen(fc.nat, 300_000),
            model: () => gen(() => fc.constantFrom(...MODELS)),
            beside: () => gen(() => beside),
          };
          const changed = changedText(text, next);
          if (detectFormat(changed) !== format) return;
          const calls = recordedCalls(format.read(linesOfText(changed)));
          for (const { parts, dollars } of calls) {
            const sum = CALL_PARTS.reduce((all, part) => all + (parts[part]?.dollars ?? 0), 0);
            expect(sum).toBeCloseTo(dollars, 9);
            for (const part of CALL_PARTS) if (parts[part]) billedParts.add(part);
          }
          const totals = billTotals(calls);
          const rows = CALL_PARTS.reduce((all, part) => all + totals.parts[part].dollars, 0);
          expect(rows).toBeCloseTo(totals.dollars, 9);
          const account = rowsOf(totals.account).map((row) => ({ row, ...totals.account[row]! }));
          const spent = account.reduce((all, row) => all + row.dollars, 0);
          expect(spent).toBeCloseTo(totals.dollars, 9);
          const priced = calls.filter(({ price }) => price.match !== 'unknown');
          const tokens = TOKEN_PARTS.reduce((all, part) => all + billTotals(priced).parts[part].count, 0);
          const told = account.filter(({ row }) => !BESIDE.has(row)).reduce((all, { count }) => all + count, 0);
          expect(told).toBe(tokens);
          for (const { row } of account) spentOn.add(row);
          if (calls.length > 0) billedFormats.add(format.name);
        }),
        { numRuns: 20 },
      );
    }
    expect([...billedFormats].sort()).toEqual([
      'atif',
      'claude-code',
      'claude-code-stream',
      'cline',
      'codex',
      'gemini-cli',
      'gemini-cli-json',
      'high-density',
      'mini-swe-agent',
      'opencode',
      'openhands',
      'pi',
      'qwen-code',
    ]);
    expect(CALL_PARTS.filter((part) => !billedParts.has(part))).toEqual([]);
    for (const row of ['newText', 'firstCall', 'cachedReads', 'output', 'modelSwitch']) expect(spentOn).toContain(row);
  });
});

test.each(realSessions('claude-code', 'codex', 'pi', 'opencode', 'gemini', 'cline-roo'))(
  'the rows of the account of a recorded session sum up to its bill: %s',
  (file) => {
    const { session } = readSession(fileBytes(file));
    const { account, dollars } = billTotals([...recordedCalls(session), ...billedSideCalls(session)]);
    expect(rowsOf(account).reduce((sum, row) => sum + account[row]!.dollars, 0)).toBeCloseTo(dollars, 7);
  },
);
