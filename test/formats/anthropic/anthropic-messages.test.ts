import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { anthropicMessages } from '../../../src/formats/anthropic/anthropic-messages.ts';
import { SESSION_FORMATS } from '../../../src/formats/index.ts';
import { decode, joinLines, linesOfText } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';
import { anthropicFaults } from '../api-rules.ts';

type Json = Record<string, unknown>;

const user = (...content: unknown[]): Json => ({ role: 'user', content });
const says = (...content: unknown[]): Json => ({ role: 'assistant', content });
const text = (words: string, rest: Json = {}): Json => ({ type: 'text', text: words, ...rest });
const use = (id: string, input: unknown = {}): Json => ({ type: 'tool_use', id, name: 'Read', input });
const result = (id: string, content: unknown = `of ${id}`, rest: Json = {}): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...rest,
});

const say = (block: ContentBlock): string => {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return `call ${block.id}`;
  if (block.type === 'tool_response')
    return `${block.callId}: ${block.error === undefined ? '' : `(${block.error}) `}${String(block.result)}`;
  return block.type;
};
const words = (entries: readonly IContent[]): string[] =>
  entries.map(({ speaker, blocks }) => `${speaker} ${blocks.map(say).join(' + ')}`);
const history = (messages: unknown): IContent[] => historyOf(anthropicMessages, JSON.stringify({ messages }));
const edited = (messages: Json[], change: (entries: IContent[]) => IContent[]): Json[] => {
  const file = JSON.stringify({ messages });
  return JSON.parse(rewritten(anthropicMessages, file, change(historyOf(anthropicMessages, file)))).messages;
};
const without = (id: string) => (entries: IContent[]) =>
  entries.flatMap((entry) => {
    const blocks = entry.blocks.filter(
      (block) =>
        !(block.type === 'tool_call' && block.id === id) && !(block.type === 'tool_response' && block.callId === id),
    );
    return blocks.length === 0 ? [] : [{ ...entry, blocks }];
  });
const detected = (document: unknown): string[] =>
  SESSION_FORMATS.filter((format) => format.detect(JSON.stringify(document))).map(({ name }) => name);

describe('telling Anthropic requests apart', () => {
  test.each([
    ['calls', [user(text('hi')), says(use('1'))]],
    ['results alone', [user(result('1'))]],
    ['pictures', [user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'YQ==' } })]],
    ['a system prompt beside the messages', { system: 'S', messages: [{ role: 'user', content: 'hi' }] }],
    ['tool definitions', { messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'Read', input_schema: {} }] }],
    ['the model', { model: 'claude-x', messages: [{ role: 'user', content: 'hi' }] }],
  ])('by %s', (_, document) => {
    expect(detected(document)).toEqual(['anthropic-messages']);
  });
});

describe('reading Anthropic requests', () => {
  test('makes each result an entry, with its pictures, and the other blocks another entry', () => {
    const picture = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
    expect(
      words(
        history([
          { role: 'user', content: 'go' },
          says({ type: 'thinking', thinking: 'hm', signature: 's' }, text('I look.'), use('1'), use('2')),
          user(
            result('1', [text('a'), picture]),
            result('2', 'Exit code 1\nlong', { is_error: true }),
            text('on'),
            picture,
          ),
        ]),
      ),
    ).toEqual([
      'human go',
      'ai thinking + I look. + call 1 + call 2',
      'tool 1: a + media',
      'tool 2: (Exit code 1) long',
      'human on + media',
    ]);
  });

  test('gives system prompt and tools as system text', () => {
    const body = {
      model: 'claude-x',
      system: [text('A'), text('B')],
      tools: [{ name: 'Read' }],
      messages: [{ role: 'user', content: 'hi' }],
    };
    expect(anthropicMessages.read(linesOfText(JSON.stringify(body)))).toMatchObject({
      model: 'claude-x',
      systemText: 'A\nB\n[{"name":"Read"}]',
    });
  });
});

describe('writing Anthropic requests', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const messages = [
    user(text('go')),
    says(text('Both.'), use('1'), use('2')),
    user(result('1', 'of 1', mark), result('2'), text('on', mark)),
    says(use('3')),
    user(result('3')),
    says(text('Done.')),
  ];

  test('removes pairs, and a message with its last block; cache markers are removed and kept with their blocks', () => {
    const written = edited(messages, without('1'));
    expect(written).toEqual([
      messages[0],
      says(text('Both.'), use('2')),
      user(result('2'), text('on', mark)),
      ...messages.slice(3),
    ]);
    expect(edited(messages, without('3'))).toEqual([...messages.slice(0, 3), messages[5]]);
    expect(anthropicFaults(edited(messages, (entries) => without('1')(without('2')(without('3')(entries)))))).toEqual(
      [],
    );
  });

  test('writes no answer with only thinking, which the API refuses', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const document = [user(text('go')), says(thinking, use('1')), user(result('1')), says(text('Done.'))];
    expect(edited(document, without('1'))).toEqual([document[0], document[3]]);
  });

  test('keeps fields it does not know and parts it cannot read where they are', () => {
    const citation = { type: 'search_result', source: 'https://example.org' };
    const document = [user(text('go', { x: 1 }), citation), says(use('1')), user(result('1'))];
    const changed = edited(document, (entries) =>
      entries.map((entry, at) =>
        at === 0
          ? {
              ...entry,
              blocks: entry.blocks.map((block) => (block.type === 'text' ? { ...block, text: 'Go!' } : block)),
            }
          : entry,
      ),
    );
    expect(changed).toEqual([user(text('Go!', { x: 1 }), citation), document[1], document[2]]);
  });

  test('puts new entries at their position in the history', () => {
    const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }] };
    expect(edited(messages, (entries) => [summary, ...entries.slice(-1)])).toEqual([
      { role: 'user', content: 'So far.' },
      messages[5],
    ]);
  });
});

describe('creating Anthropic requests', () => {
  const created = (entries: readonly IContent[]): Json[] =>
    JSON.parse(decode(joinLines(anthropicMessages.create?.(entries, { id: 'new', startedAt: 0 }) ?? []))).messages;

  test('puts all results of an answer into one message, and raw input into an object', () => {
    const calls = ['1', '2'].map(
      (id): ContentBlock => ({ type: 'tool_call', id, name: 'apply_patch', parameters: '*** Begin' }),
    );
    const reply = (callId: string): IContent => ({
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId, toolName: 'apply_patch', result: 'ok' }],
    });
    const messages = created([{ speaker: 'ai', blocks: calls }, reply('1'), reply('2')]);
    expect(messages.map(({ content }) => (content as Json[]).map(({ type }) => type))).toEqual([
      ['tool_use', 'tool_use'],
      ['tool_result', 'tool_result'],
    ]);
    expect(messages[0]?.['content']).toMatchObject([{ input: { input: '*** Begin' } }, {}]);
  });

  test('keeps thinking that is signed, and none that another provider encrypted', () => {
    const blocks: ContentBlock[] = [
      { type: 'thinking', thought: 'own', sourceField: 'thinking', signature: 's' },
      { type: 'thinking', thought: 'unsigned', sourceField: 'thinking' },
      { type: 'thinking', thought: 'other', sourceField: 'reasoning', encryptedContent: 'x' },
      { type: 'thinking', thought: '', isHidden: true, encryptedContent: 'sealed' },
      { type: 'text', text: 'Yes.' },
    ];
    expect(created([{ speaker: 'ai', blocks }])[0]?.['content']).toEqual([
      { type: 'thinking', thinking: 'own', signature: 's' },
      { type: 'redacted_thinking', data: 'sealed' },
      text('Yes.'),
    ]);
  });
});
