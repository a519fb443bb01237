import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { entryCounter } from '../../../src/tokens/entries/block-counter.ts';
import { promptCounter } from '../../../src/tokens/entries/prompt-counter.ts';

const MODELS = ['claude-opus-5', 'claude-sonnet-4-5', 'gpt-5.6-sol', 'gemini-3.1-pro-preview', 'nobody-9'];
const LINES = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at * 7};`).join('\n');
const result = (text: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId: 't1', toolName: 'Read', result: text }],
});

describe.each(MODELS)('the tokens of a prompt of %s', (model) => {
  const counter = promptCounter(model);

  test('are those of the model', () => {
    expect(counter.ofEntry(result(LINES))).toBe(entryCounter(model)(result(LINES)));
    expect(counter.ofText(LINES)).toBe(counter.ofEntry(result(LINES)));
  });

  test('of a very long text are near them', () => {
    const long = LINES.repeat(40);
    const ratio = counter.ofText(long) / entryCounter(model)(result(long));
    expect(ratio).toBeGreaterThan(0.98);
    expect(ratio).toBeLessThan(1.02);
  });
});
