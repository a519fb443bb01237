import { modelMessageSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { aiSdkMessages } from '../../../src/formats/ai-sdk/ai-sdk-messages.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { aiSdkMessagesSample } from '../ai-sdk-messages-fixture.ts';
import { session, words } from '../words.ts';

const [calls = '', approvals = ''] = aiSdkMessagesSample.texts;

function faults(text: string): unknown[] {
  const document: unknown = JSON.parse(text);
  const list = Array.isArray(document) ? document : (document as { messages: unknown[] }).messages;
  return list.flatMap((message) => modelMessageSchema.safeParse(message).error?.issues ?? []);
}

const without = (history: readonly IContent[], ...ids: string[]): IContent[] =>
  history.flatMap((entry) => {
    const blocks = entry.blocks.filter(
      (block) =>
        !(block.type === 'tool_call' && ids.includes(block.id)) &&
        !(block.type === 'tool_response' && ids.includes(block.callId)) &&
        !(block.type === 'media' && entry.speaker === 'tool'),
    );
    return blocks.length === 0 ? [] : [blocks.length === entry.blocks.length ? entry : { ...entry, blocks }];
  });

describe('model messages of the AI SDK', () => {
  test('are read with the system prompt apart, each result a separate entry', () => {
    const read = session(aiSdkMessages, calls);
    expect(read.systemText).toBe('You help.');
    expect(words(liveHistory(read))).toEqual([
      'human What do a.ts and b.ts export? ✗',
      'ai thinking + I read both. + read_file {"path":"a.ts"} + read_file {"path":"b.ts"}',
      'tool export const a = 1;\n',
      'tool [object Object]',
      'ai shell {"command":"make"}',
      'tool (Exit code 2) no rule',
      'ai Only `a`.',
      'human And this? + media + media',
    ]);
  });

  test('keep signatures, media with their result, and denials as failures', () => {
    const blocks = [...historyOf(aiSdkMessages, calls), ...historyOf(aiSdkMessages, approvals)].flatMap(
      (entry) => entry.blocks,
    );
    expect(blocks).toContainEqual({
      type: 'thinking',
      thought: 'Two files.',
      sourceField: 'thinking',
      signature: 'c2ln',
    });
    expect(blocks).toContainEqual({
      type: 'media',
      mimeType: 'application/pdf',
      data: 'https://example.com/a.pdf',
      encoding: 'url',
      filename: 'a.pdf',
    });
    expect(words(historyOf(aiSdkMessages, approvals))).toEqual([
      'human Take a picture and delete it.',
      'ai camera {} + delete {"path":"a.png"}',
      'tool (Keep it.) ',
      'tool a.png + media',
      'ai shell {"command":"sleep 1000"}',
    ]);
  });

  test('that are written satisfy the schema of the SDK', () => {
    for (const text of aiSdkMessagesSample.texts) {
      expect(faults(text)).toEqual([]);
      const history = historyOf(aiSdkMessages, text);
      const shorter = history.map((entry) => ({
        ...entry,
        blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'gone' } : block)),
      }));
      expect(faults(rewritten(aiSdkMessages, text, shorter))).toEqual([]);
      expect(faults(rewritten(aiSdkMessages, text, without(history, 'call_1', 'call_2')))).toEqual([]);
      const created = aiSdkMessages.create?.(history, { id: 'new', startedAt: 0 }) ?? [];
      expect(faults(decode(joinLines(created)))).toEqual([]);
    }
  });

  test('lose the request to approve a call with the call', () => {
    const written = rewritten(aiSdkMessages, approvals, without(historyOf(aiSdkMessages, approvals), 'call_2'));
    expect(written).not.toContain('tool-approval-request');
    expect(written).toContain('call_1');
  });

  test('keep a failed result with a picture a failure', () => {
    const media = { type: 'media', mimeType: 'image/png', data: 'aGVsbG8=', encoding: 'base64' } as const;
    const history: IContent[] = [
      { speaker: 'human', blocks: [{ type: 'text', text: 'Look.' }] },
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c', name: 'camera', parameters: 'raw' }] },
      {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId: 'c', toolName: 'camera', result: '', error: 'Dark.' }, media],
      },
    ];
    const created = decode(joinLines(aiSdkMessages.create?.(history, { id: 'new', startedAt: 0 }) ?? []));
    expect(faults(created)).toEqual([]);
    expect(created).toContain('"error-json"');
  });
});
