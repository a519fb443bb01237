import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { countBlock, countEntry, countValue } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';

const tokenizer = createTokenizer('o200k');
const count = (text: string): number => tokenizer.count(text);
const ofBlock = (block: ContentBlock): number => countBlock(block, tokenizer);

describe('countBlock', () => {
  test('counts text and code as they are', () => {
    expect(ofBlock({ type: 'text', text: 'hello world' })).toBe(2);
    expect(ofBlock({ type: 'code', code: 'let a = 1;', language: 'ts' })).toBe(count('let a = 1;'));
  });

  test('counts the name and the parameters of a call as JSON, strings as they are', () => {
    const call = { type: 'tool_call', id: 'c1', name: 'read_file' } as const;
    expect(ofBlock({ ...call, parameters: { path: 'a.ts' } })).toBe(count('read_file') + count('{"path":"a.ts"}'));
    expect(ofBlock({ ...call, parameters: '*** Begin Patch' })).toBe(count('read_file') + count('*** Begin Patch'));
    expect(ofBlock({ ...call, parameters: null })).toBe(count('read_file') + count('null'));
    expect(ofBlock({ ...call, parameters: undefined })).toBe(count('read_file'));
  });

  test('counts the value and the error of a result (docs/readings.md, row 20)', () => {
    const response = { type: 'tool_response', callId: 'c1', toolName: 'shell' } as const;
    expect(ofBlock({ ...response, result: 'partial output', error: 'exit 1' })).toBe(
      count('partial output') + count('exit 1'),
    );
    expect(ofBlock({ ...response, result: { ok: true } })).toBe(count('{"ok":true}'));
    expect(ofBlock({ ...response, result: undefined, error: 'cancelled' })).toBe(count('cancelled'));
  });

  test('counts a thought, and its signature only if the thought is withheld', () => {
    const thought = 'I should read the file first.';
    const signature = 'A'.repeat(1000);
    expect(ofBlock({ type: 'thinking', thought, signature })).toBe(count(thought));
    expect(ofBlock({ type: 'thinking', thought: '', signature })).toBe(Math.ceil((750 - 175) / 4));
    expect(ofBlock({ type: 'thinking', thought: '', signature: 'c2hvcnQ=' })).toBe(0);
  });

  test('counts encrypted reasoning by its size, or its summary if that is larger', () => {
    const encryptedContent = 'A'.repeat(2000);
    expect(ofBlock({ type: 'thinking', thought: 'short', encryptedContent })).toBe(Math.ceil((1500 - 650) / 4));
    expect(ofBlock({ type: 'thinking', thought: 'a b c', encryptedContent: 'AAAA' })).toBe(count('a b c'));
  });
});

describe('countEntry', () => {
  test('is the sum of its blocks', () => {
    const blocks: ContentBlock[] = [
      { type: 'text', text: 'Look at this:' },
      { type: 'tool_call', id: '1', name: 'ls', parameters: {} },
    ];
    const sum = blocks.reduce((total, block) => total + ofBlock(block), 0);
    expect(countEntry({ speaker: 'ai', blocks }, tokenizer)).toBe(sum);
  });

  test('is the reported size of an answer of Claude, of which a thought is recorded as a summary, if that is larger', () => {
    const ofClaude = createTokenizer('claude-4.7');
    const blocks: ContentBlock[] = [{ type: 'thinking', thought: 'I look first.' }];
    const usage = (completionTokens: number) => ({
      usage: { promptTokens: 9, completionTokens, totalTokens: 9 + completionTokens },
    });
    const size = (completionTokens: number, speaker: 'ai' | 'human' = 'ai', of = ofClaude): number =>
      countEntry({ speaker, blocks, metadata: usage(completionTokens) }, of);
    const recorded = countBlock(blocks[0]!, ofClaude);
    expect(size(700)).toBe(700);
    expect(size(1)).toBe(recorded);
    expect(size(Number.NaN)).toBe(recorded);
    expect(size(700, 'human')).toBe(recorded);
    expect(size(700, 'ai', tokenizer)).toBe(ofBlock(blocks[0]!));
    expect(countEntry({ speaker: 'ai', blocks: [], metadata: usage(700) }, ofClaude)).toBe(0);
  });

  test('is 0 without content (F-001)', () => {
    expect(countEntry({ speaker: 'human', blocks: [] }, tokenizer)).toBe(0);
    expect(countEntry({ speaker: 'human', blocks: [{ type: 'text', text: '' }] }, tokenizer)).toBe(0);
  });

  test('does not count metadata', () => {
    const blocks: ContentBlock[] = [{ type: 'text', text: 'hi', providerMetadata: { trace: 'x'.repeat(1000) } }];
    expect(countEntry({ speaker: 'ai', blocks, metadata: { id: 'x'.repeat(1000) } }, tokenizer)).toBe(count('hi'));
  });
});

describe('countValue', () => {
  test('counts what can be read of a value that JSON rejects (docs/readings.md, "Bad input")', () => {
    const circular: Record<string, unknown> = { path: 'src/a.ts' };
    circular['self'] = circular;
    expect(countValue(circular, tokenizer)).toBe(count('{"path":"src/a.ts","self":"…"}'));
    expect(countValue({ size: 12n }, tokenizer)).toBe(count('{"size":12}'));
    const hostile = {
      text: 'kept',
      get broken() {
        throw new Error('no');
      },
    };
    expect(countValue(hostile, tokenizer)).toBe(count('{"text":"kept","broken":null}'));
  });
});
