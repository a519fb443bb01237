import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { openaiResponses } from '../../../src/formats/openai-responses/openai-responses.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { openaiResponsesSample } from '../openai-responses-fixture.ts';
import { session, words } from '../words.ts';

const [request = '', bare = '', response = ''] = openaiResponsesSample.texts;

const typesOf = (text: string): unknown[] =>
  (JSON.parse(text) as { input: { type?: string; role?: string }[] }).input.map(({ type, role }) => type ?? role);

describe('items of the Responses API', () => {
  test('name the model, the instructions and the tools', () => {
    expect(session(openaiResponses, request)).toMatchObject({
      model: 'gpt-x',
      systemText: 'You help.\nBe brief.\n[{"type":"function"}]',
    });
    expect(session(openaiResponses, response).id).toBe('resp_1');
  });

  test('make one entry of an answer, one of each message and one of each output', () => {
    expect(words(historyOf(openaiResponses, request))).toEqual([
      'human What do a.ts and b.ts export? ✗',
      'ai thinking + I read both. + read_file {"path":"a.ts"} + read_file {"path":"b.ts"}',
      'tool export const a = 1;\n',
      'tool export {};',
      'ai apply_patch "*** Begin Patch"',
      'tool Done',
      'human Search.',
      'ai code',
      'ai Only `a`.',
      'human And this? + media',
    ]);
    expect(words(historyOf(openaiResponses, bare)).at(-1)).toBe('ai shell {"command":"sleep 1000"}');
  });

  test('lose reasoning whose calls were all removed, and keep encrypted reasoning byte for byte', () => {
    const sealed = '{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"bW9yZQ=="},';
    const more = bare.replace('{"type":"custom_tool_call"', `${sealed}{"type":"custom_tool_call"`);
    const history = historyOf(openaiResponses, more);
    const rest = history.filter((_, index) => index !== 4 && index !== 5);
    const written = rewritten(openaiResponses, more, rest);
    expect(written).toContain('"encrypted_content":"c2VhbGVk"');
    expect(written).not.toContain('bW9yZQ==');
    expect(words(historyOf(openaiResponses, written))).toEqual(words(rest));
  });

  test('write a new entry at its position', () => {
    const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }] };
    const written = rewritten(openaiResponses, request, [summary, ...historyOf(openaiResponses, request).slice(-2)]);
    expect(typesOf(written)).toEqual(['developer', 'message', 'message', 'message']);
  });
});
