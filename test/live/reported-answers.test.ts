import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const LINES = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};`).join('\n');
const user = (content: unknown): object => ({ role: 'user', content });
const read = (id: string, file: string): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: file } }],
});
const result = (id: string, content: string): object => user([{ type: 'tool_result', tool_use_id: id, content }]);

const FIRST = [user('Look.')];
const SECOND = [...FIRST, read('t1', '/a.ts'), result('t1', LINES)];
const THIRD = [...SECOND, read('t2', '/a.ts'), result('t2', LINES)];

const store = memoryStore();
const pruner = (): Pruner => createPruner({ api: 'anthropic-messages', vocabulary: claudeCode });
const ask = (on: Pruner, messages: readonly object[], model = 'claude-opus-5') =>
  on.prune({ body: { model, tools: [{}], messages }, conversation: 'c' });
const sentTokens = async (on: Pruner, messages: readonly object[], model?: string): Promise<number> =>
  (await ask(on, messages, model)).report.sentTokens;

async function answered(on: Pruner, messages: readonly object[], answerTokens: number, model?: string): Promise<void> {
  await on.observe((await ask(on, messages, model)).report, { status: 200, answerTokens });
}

describe('an answer of which its provider reports more tokens than its text has', () => {
  test('is so large in the next requests', async () => {
    const plain = pruner();
    const told = pruner();
    await answered(told, FIRST, 1_000);
    const more = (await sentTokens(told, SECOND)) - (await sentTokens(plain, SECOND));
    expect(more).toBeGreaterThan(900);
    expect(more).toBeLessThan(1_000);
    expect((await sentTokens(told, THIRD)) - (await sentTokens(plain, THIRD))).toBe(more);
  });

  test('counts as its text where the provider does not keep what the text does not show', async () => {
    const plain = pruner();
    const told = pruner();
    await answered(told, FIRST, 1_000, 'gpt-5.6-sol');
    expect(await sentTokens(told, SECOND, 'gpt-5.6-sol')).toBe(await sentTokens(plain, SECOND, 'gpt-5.6-sol'));
  });

  test('says nothing of another answer to the same request', async () => {
    const plain = pruner();
    const told = pruner();
    await answered(told, FIRST, 1_000);
    await ask(told, SECOND);
    const other = [...FIRST, read('t9', '/b.ts'), result('t9', LINES)];
    expect(await sentTokens(told, other)).toBe(await sentTokens(plain, other));
  });

  test('is as large after a restart, so that a request that is sent again is as it was', async () => {
    const kept = (): Pruner => createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store });
    const before = kept();
    await answered(before, FIRST, 1_000);
    await ask(before, SECOND);
    const sent = await ask(before, THIRD);
    expect(sent.report.changed).toHaveLength(1);
    const again = await ask(kept(), THIRD);
    expect(again.report.sentTokens).toBe(sent.report.sentTokens);
    expect(again.body).toEqual(sent.body);
  });
});
