import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { CallsOfResults } from '../../../src/formats/blocks/calls-of-results.ts';
import { readItem } from '../../../src/formats/codex/item.ts';
import { geminiContents } from '../../../src/formats/gemini/gemini-content.ts';
import { readMessage } from '../../../src/formats/openai-chat/message.ts';
import { countBlock, isCountedBySize } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';

const tokenizer = createTokenizer('o200k');
const tokensOf = (blocks: readonly ContentBlock[] = []): number =>
  blocks.reduce((sum, block) => sum + countBlock(block, tokenizer), 0);
const ofItem = (item: Record<string, unknown>): readonly ContentBlock[] | undefined =>
  readItem(item, new CallsOfResults())?.blocks;

/** Base64 that no compressor made: of bytes without a pattern. */
const noise = (characters: number): string => {
  let state = 1;
  const bytes = Buffer.alloc((characters * 3) / 4);
  for (let at = 0; at < bytes.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = state >>> 16;
  }
  return bytes.toString('base64');
};
const sealed = noise(60_000);

/** The base64 of a PNG of 1024 × 1024 that is this long. */
function png(characters: number): string {
  const header = Buffer.alloc(33);
  header.write('89504e470d0a1a0a0000000d49484452', 'hex');
  header.writeUInt32BE(1024, 16);
  header.writeUInt32BE(1024, 20);
  return Buffer.concat([header, Buffer.from(noise(characters - 44), 'base64')]).toString('base64');
}

describe('a part without a block type', () => {
  const picture = png(300_000);

  test.each([
    ['a picture that a tool made (Responses)', { type: 'image_generation_call', id: 'ig_1', result: picture }],
    [
      'one in a part of a message (Responses)',
      { type: 'computer_screenshot', image: `data:image/png;base64,${picture}` },
    ],
    [
      'one whose URL has a parameter and capitals',
      { type: 'computer_screenshot', image: `DATA:image/png;name=a.png;BASE64,${picture}` },
    ],
  ])('counts as a picture by its pixels: %s', (_, item) => {
    const blocks = ofItem({ status: 'completed', ...item });
    expect(tokensOf(blocks)).toBeGreaterThan(765);
    expect(tokensOf(blocks)).toBeLessThan(900);
    expect(blocks?.every(isCountedBySize)).toBe(true);
  });

  test('counts as a picture in an answer of the Chat API and of Gemini', () => {
    const url = `data:image/png;base64,${picture}`;
    const answer = { role: 'assistant', content: '', images: [{ type: 'image_url', image_url: { url } }] };
    expect(tokensOf(readMessage(answer, new CallsOfResults())?.blocks)).toBe(765);
    const made = { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] };
    expect(tokensOf(geminiContents.reader()(made)[0]?.blocks)).toBe(765);
  });

  test('counts as text if its data URL names no base64', () => {
    const file_data = `data:text/plain;charset=utf-8,${'word'.repeat(1000)}`;
    expect(ofItem({ type: 'file', file: { file_data } })?.some(isCountedBySize)).toBe(false);
  });

  test('counts what is encrypted as in reasoning', () => {
    const inReasoning = tokensOf(ofItem({ type: 'reasoning', summary: [], encrypted_content: sealed }));
    const part = { type: 'encrypted_content', encrypted_content: sealed };
    const inMessage = tokensOf(ofItem({ type: 'agent_message', content: [part] }));
    expect(inReasoning).toBeGreaterThan(10_000);
    expect(inMessage - inReasoning).toBeGreaterThan(0);
    expect(inMessage - inReasoning).toBeLessThan(30);
  });

  test('counts sound and documents by their size', () => {
    const sound = { type: 'input_audio', input_audio: { format: 'mp3', data: `SUQz${noise(400_000)}` } };
    const file = { type: 'file', file: { file_data: `data:application/pdf;base64,${noise(400_000)}` } };
    const ofPart = (part: unknown): number =>
      tokensOf(readMessage({ role: 'user', content: [part] }, new CallsOfResults())?.blocks);
    expect(ofPart(sound)).toBeLessThan(1_000);
    expect(ofPart(file)).toBeLessThan(10_000);
  });

  test('counts its other text as text, and short or spaced strings too', () => {
    const call = { type: 'web_search_call', query: 'how do I count '.repeat(100), id: 'x'.repeat(500) };
    const blocks = ofItem(call);
    expect(tokensOf(blocks)).toBe(tokenizer.count(JSON.stringify(call)));
    expect(blocks?.some(isCountedBySize)).toBe(false);
  });

  test('counts JSON that cannot be read as the text that it is', () => {
    const code = `{"a":"${sealed.slice(0, 600)}`;
    expect(tokensOf([{ type: 'code', language: 'json', code }])).toBe(tokenizer.count(code));
  });
});

describe('reasoning_details of the Chat API', () => {
  test('count as reasoning, whether they are encrypted or not', () => {
    const text = 'I look at the file first.';
    const details = [
      { type: 'reasoning.text', text, signature: 'c2ln', index: 0 },
      { type: 'reasoning.encrypted', data: sealed, id: 'rs_1', index: 1 },
    ];
    const answer = { role: 'assistant', content: 'ok', reasoning: text, reasoning_details: details };
    const inReasoning = tokensOf(ofItem({ type: 'reasoning', summary: [], encrypted_content: sealed }));
    expect(tokensOf(readMessage(answer, new CallsOfResults())?.blocks)).toBe(inReasoning + tokenizer.count(text) + 1);
  });
});
