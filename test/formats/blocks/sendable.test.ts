import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { sendable } from '../../../src/formats/blocks/sendable.ts';
import { formatNamed } from '../../../src/formats/index.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { runs } from '../../property-runs.ts';
import { apiFaults } from '../api-rules.ts';

const human = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const ask = (...ids: string[]): IContent => ({
  speaker: 'ai',
  blocks: ids.map((id) => ({ type: 'tool_call', id, name: 'f', parameters: {} })),
});
const reply = (...ids: string[]): IContent => ({
  speaker: 'tool',
  blocks: ids.map((callId) => ({ type: 'tool_response', callId, toolName: 'f', result: `of ${callId}` })),
});

const say = (block: ContentBlock): string => {
  if (block.type === 'tool_call') return `call ${block.id}`;
  if (block.type === 'tool_response') return `${block.callId}: ${block.error ?? String(block.result)}`;
  return block.type === 'text' ? block.text : block.type;
};
const words = (history: readonly IContent[]): string[] =>
  history.map(({ speaker, blocks }) => `${speaker} ${blocks.map(say).join(' + ')}`);

/** Formats that an API accepts unchanged. */
const API_FORMATS = [
  'codex',
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini-api',
  'gemini-checkpoint',
];

describe('a history that a provider accepts', () => {
  test('is the same, entry by entry, if it is valid already', () => {
    const history = [human('a'), ask('1', '2'), reply('2'), reply('1'), human('b'), ask('3'), reply('3'), ask('4')];
    const sent = sendable(history);
    expect(sent.length).toBe(history.length);
    expect(sent.every((entry, index) => entry === history[index])).toBe(true);
  });

  test('puts results after their calls, whatever is between them, and splits entries that answer several', () => {
    expect(words(sendable([ask('1'), human('wait'), ask('2'), reply('1', '2')]))).toEqual([
      'ai call 1',
      'tool 1: of 1',
      'human wait',
      'ai call 2',
      'tool 2: of 2',
    ]);
  });

  test('answers a call without a result, but not one that is pending', () => {
    expect(words(sendable([ask('1', '2'), reply('2'), human('on'), ask('3')]))).toEqual([
      'ai call 1 + call 2',
      'tool 2: of 2',
      'tool 1: No result was recorded.',
      'human on',
      'ai call 3',
    ]);
  });

  test('writes results without a call as text, and gives ids that are used again a new one', () => {
    expect(words(sendable([reply('9'), ask('a|b'), reply('a|b'), ask('a|b'), reply('a|b'), reply('a|b')]))).toEqual([
      'human [result of f]\nof 9',
      'ai call a_b',
      'tool a_b: of a|b',
      'ai call a_b_2',
      'tool a_b_2: of a|b',
      'human [result of f]\nof a|b',
    ]);
  });

  test('no API rejects the new session, for any history', () => {
    const id = fc.constantFrom('1', '2', '3', 'a|b');
    const picture: ContentBlock = { type: 'media', mimeType: 'image/png', data: 'YQ==', encoding: 'base64' };
    const entry = fc.oneof(
      fc.string({ minLength: 1 }).map((text) => human(`x${text}`)),
      fc.uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => ask(...ids)),
      fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => reply(...ids)),
      id.map((callId): IContent => ({ ...reply(callId), blocks: [...reply(callId).blocks, picture] })),
      id.map((call): IContent => ({ ...ask(call), blocks: [{ type: 'text', text: 'so' }, ...ask(call).blocks] })),
    );
    const seen = { orphans: 0, reused: 0, pending: 0 };
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (history) => {
        const text = words(history).join('\n');
        seen.orphans += /^tool (\S+):/.test(text) ? 1 : 0;
        seen.reused += /call (\S+)\b[\s\S]*call \1\b/.test(text) ? 1 : 0;
        seen.pending += /call \S+$/.test(text) ? 1 : 0;
        for (const name of API_FORMATS) {
          const lines = formatNamed(name).create?.([human('go'), ...history], { id: 'new', startedAt: 0 }) ?? [];
          expect(apiFaults(name, decode(joinLines(lines))), name).toEqual([]);
        }
      }),
      { numRuns: runs(1000) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(runs(100));
  });
});
