import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billTotals } from '../../src/cli/commands/bill/bill-totals.ts';
import { CALL_PARTS } from '../../src/economics/call-parts.ts';
import { detectFormat, SESSION_FORMATS } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { recordedCalls } from '../../src/lab/recorded-bill.ts';
import { SAMPLES } from '../formats/samples.ts';

const MODELS = ['claude-opus-4-6', 'claude-opus-5-5', 'gpt-5.4', 'gpt-6.2-sol', 'deepseek-flash', 'no-such-model'];
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
  test('sum up to its dollars, in every format that records usage', () => {
    const billedFormats = new Set<string>();
    const billedParts = new Set<string>();
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
  });
});
