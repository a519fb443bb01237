import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { SESSION_FORMATS } from '../../../src/formats/index.ts';
import { decode, joinLines, linesOfText } from '../../../src/formats/lines/lines.ts';
import { openaiChat } from '../../../src/formats/openai-chat/openai-chat.ts';
import { historyOf, rewritten } from '../../contracts/format.ts';

type Json = Record<string, unknown>;

const user = (content: unknown): Json => ({ role: 'user', content });
const call = (id: string, given = '{}'): Json => ({ id, type: 'function', function: { name: 'f', arguments: given } });
const asks = (content: unknown, ...calls: Json[]): Json => ({ role: 'assistant', content, tool_calls: calls });
const picture = (name: string): Json => ({ type: 'image_url', image_url: { url: `https://example.org/${name}` } });
const answers = (id: string, content: unknown): Json => ({ role: 'tool', tool_call_id: id, content });

const say = (block: ContentBlock): string => {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return `call ${block.id}`;
  if (block.type === 'tool_response') return `${block.callId}: ${String(block.result)}`;
  return block.type === 'thinking' ? `thinking ${block.thought}` : block.type;
};
const words = (entries: readonly IContent[]): string[] =>
  entries.map(({ speaker, blocks }) => `${speaker} ${blocks.map(say).join(' + ')}`);
const history = (document: unknown): IContent[] => historyOf(openaiChat, JSON.stringify(document));
const detected = (document: unknown): string[] =>
  SESSION_FORMATS.filter((format) => format.detect(JSON.stringify(document))).map(({ name }) => name);
const edited = (document: Json[], change: (entries: IContent[]) => IContent[]): Json[] => {
  const text = JSON.stringify(document);
  return JSON.parse(rewritten(openaiChat, text, change(historyOf(openaiChat, text))));
};
const without = (entries: IContent[], gone: (block: ContentBlock) => boolean): IContent[] =>
  entries.flatMap((entry) => {
    const blocks = entry.blocks.filter((block) => !gone(block));
    return blocks.length === 0 ? [] : [{ ...entry, blocks }];
  });
const ofCall = (id: string) => (block: ContentBlock) =>
  (block.type === 'tool_call' && block.id === id) || (block.type === 'tool_response' && block.callId === id);

describe('telling chat messages apart', () => {
  test('reads a call once that a content part repeats, and removes both', () => {
    const repeated = { type: 'tool_use', id: 'c1', name: 'f', input: {} };
    const document = [
      user('go'),
      asks([{ type: 'text', text: 'I look.' }, repeated], call('c1'), call('c2')),
      answers('c1', 'one'),
      answers('c2', 'two'),
    ];
    expect(words(history(document))[1]).toBe('ai I look. + call c1 + call c2');
    const [, answer] = edited(document, (entries) => without(entries, ofCall('c1')));
    expect(answer).toEqual(asks([{ type: 'text', text: 'I look.' }], call('c2')));
  });

  test('removes the list of reasoning with its last thought, and never changes one (OpenRouter)', () => {
    const details = [
      { type: 'reasoning.summary', summary: 'I look.', index: 0 },
      { type: 'reasoning.encrypted', data: 'gAAA', index: 1 },
    ];
    const document = [user('go'), { ...asks(null, call('c1')), reasoning_details: details }, answers('c1', 'one')];
    expect(words(history(document))[1]).toBe('ai thinking I look. + thinking  + call c1');
    const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking';
    expect(edited(document, (entries) => without(entries, isThinking))[1]).toEqual(asks(null, call('c1')));
    const isHidden = (block: ContentBlock): boolean => block.type === 'thinking' && block.isHidden === true;
    expect(edited(document, (entries) => without(entries, isHidden))[1]).toMatchObject({
      reasoning_details: [details[0]],
    });
    const change = (block: ContentBlock): ContentBlock =>
      block.type === 'thinking' ? { ...block, thought: 'x' } : block;
    const changed = (entries: IContent[]): IContent[] =>
      entries.map((entry) => ({ ...entry, blocks: entry.blocks.map(change) }));
    expect(() => edited(document, changed)).toThrow(/kept or removed/);
  });

  test.each([
    ['a list', [user('hi'), { role: 'assistant', content: 'ho' }]],
    ['an object', { meta: 1, messages: [user([{ type: 'text', text: 'hi' }])] }],
    ['trajectories', [{ task_id: 3, reward: 1, traj: [user('hi')], info: {} }]],
    [
      'cache fields of a router',
      [user([{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }]), { role: 'system', content: 'x' }],
    ],
    ['pictures', [user([{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }])]],
  ])('%s is OpenAI chat', (_, document) => {
    expect(detected(document)).toEqual(['openai-chat']);
  });

  test.each([
    [
      'messages with times, as Cline and Roo write them',
      [{ ...user([{ type: 'text', text: 'hi' }]), ts: 1 }, user('x')],
    ],
    ['a session of the Cline SDK', { version: 1, sessionId: 's', messages: [user('hi'), user('ho')] }],
    [
      'model messages of the AI SDK',
      [user('hi'), { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c' }] }, user('x')],
    ],
    [
      'contents of Gemini',
      [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [] },
      ],
    ],
    ['an export of opencode', { info: { id: 'ses_1' }, messages: [{ info: { role: 'user' }, parts: [] }] }],
    ['an ATIF trajectory', { schema_version: 'ATIF-v1.5', steps: [{ source: 'user', message: 'hi' }] }],
    ['numbers', [1, 2, 3]],
  ])('%s is none of them', (_, document) => {
    expect(detected(document).filter((name) => /^(openai-chat|anthropic-messages)$/.test(name))).toEqual([]);
  });
});

describe('reading OpenAI chat messages', () => {
  test('takes the instructions in front, and the tools, for the system text; later ones are in the conversation', () => {
    const text = JSON.stringify({
      model: 'm',
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: [{ type: 'text', text: 'B' }] },
        user('hi'),
        { role: 'system', content: 'C' },
      ],
      tools: [{ type: 'function' }],
    });
    const session = openaiChat.read(linesOfText(text));
    expect(session).toMatchObject({ model: 'm', systemText: 'A\nB\n[{"type":"function"}]' });
    expect(words(liveHistory(session))).toEqual(['human hi', 'human C']);
  });

  test('reads reasoning, parts, refusals, pictures and arguments that are no object', () => {
    expect(
      history([
        user([
          { type: 'text', text: 'a' },
          { type: 'text', text: '' },
          { type: 'input_audio', input_audio: { data: 'x' } },
        ]),
        { ...asks('b', call('1', 'not json'), call('2', '{"x": 1}')), reasoning_content: 'hm' },
        answers('1', [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ]),
        { role: 'assistant', content: null, refusal: 'no' },
        { role: 'assistant', content: '' },
      ]).map(({ blocks }) => blocks),
    ).toEqual([
      [
        { type: 'text', text: 'a' },
        { type: 'code', language: 'json', code: '{"type":"input_audio","input_audio":{"data":"x"}}' },
      ],
      [
        { type: 'thinking', thought: 'hm', sourceField: 'reasoning_content' },
        { type: 'text', text: 'b' },
        { type: 'tool_call', id: '1', name: 'f', parameters: 'not json' },
        { type: 'tool_call', id: '2', name: 'f', parameters: { x: 1 } },
      ],
      [{ type: 'tool_response', callId: '1', toolName: 'f', result: 'one\ntwo' }],
      [{ type: 'text', text: 'no' }],
    ]);
  });

  test('starts again with each trajectory of a list; the last one is live', () => {
    const text = JSON.stringify([
      { task_id: 1, traj: [user('one')] },
      { task_id: 2, traj: [user('two'), user('three')] },
    ]);
    const steps = openaiChat
      .read(linesOfText(text))
      .events.map((event: SessionEvent) => (event.kind === 'add' ? words([event.content])[0] : event.contents));
    expect(steps).toEqual(['human one', [], 'human two', 'human three']);
    const changed = historyOf(openaiChat, text).slice(1);
    expect(JSON.parse(rewritten(openaiChat, text, changed))).toEqual([
      { task_id: 1, traj: [user('one')] },
      { task_id: 2, traj: [user('three')] },
    ]);
  });

  test('lists messages that are no objects, and refuses JSON without messages', () => {
    expect(openaiChat.read(linesOfText(JSON.stringify([user('a'), 7]))).skipped).toEqual([
      { line: 1, reason: 'expected an object in message 1' },
    ]);
    for (const nothing of ['{}', '[]', '{"messages":[]}', '{"messages":7}', '"x"'])
      expect(() => openaiChat.read(linesOfText(nothing)), nothing).toThrow(
        /Expected OpenAI chat messages with at least one message, got/,
      );
  });
});

describe('writing OpenAI chat messages', () => {
  const document = [
    { role: 'system', content: 'S' },
    user('go'),
    { ...asks('look', call('1', '{ "a": 1.0 }'), call('2')), x: 1 },
    answers('1', 'one'),
    answers('2', 'two'),
    { role: 'assistant', content: 'done' },
  ];

  test('takes a pair away and leaves the rest of the answer', () => {
    expect(edited(document, (entries) => without(entries, ofCall('1')))).toEqual([
      document[0],
      document[1],
      { ...asks('look', call('2')), x: 1 },
      document[4],
      document[5],
    ]);
    expect(
      edited(document, (entries) => without(entries, (block) => ofCall('1')(block) || ofCall('2')(block)))[2],
    ).toEqual({
      role: 'assistant',
      content: 'look',
      x: 1,
    });
  });

  test('leaves no empty list and no answer of reasoning alone, which the API refuses', () => {
    const mute = (parts: unknown) => [
      user('go'),
      { ...asks(parts, call('1')), reasoning_content: 'hm' },
      answers('1', 'one'),
    ];
    const isText = ({ type }: ContentBlock) => type === 'text';
    expect(
      edited(mute([{ type: 'text', text: 'a' }]), (entries) =>
        entries.map((entry, at) =>
          at === 1 ? { ...entry, blocks: entry.blocks.filter((block) => !isText(block)) } : entry,
        ),
      )[1]?.['content'],
    ).toBeNull();
    expect(
      edited(mute('a'), (entries) => without(entries, (block) => isText(block) && say(block) === 'a'))[1]?.['content'],
    ).toBeNull();
    expect(edited(mute(null), (entries) => without(entries, ofCall('1')))).toEqual([user('go')]);
  });

  test('changes texts, parts, arguments and results at their position', () => {
    const parts = [
      user([{ type: 'text', text: 'a', extra: 1 }, picture('a')]),
      asks(null, call('1', '{ "a": 1.0 }')),
      answers('1', [{ type: 'text', text: 'one' }, picture('b')]),
    ];
    const change = (block: ContentBlock): ContentBlock => {
      if (block.type === 'text') return { ...block, text: 'A' };
      if (block.type === 'tool_call') return { ...block, parameters: { b: 2 } };
      return block.type === 'tool_response' ? { ...block, result: { short: true }, error: 'It failed' } : block;
    };
    const changed = edited(parts, (entries) =>
      entries.map((entry) => ({ ...entry, blocks: entry.blocks.map(change) })),
    );
    expect(changed[0]?.['content']).toEqual([{ type: 'text', text: 'A', extra: 1 }, picture('a')]);
    expect(changed[1]?.['tool_calls']).toEqual([call('1', '{"b":2}')]);
    expect(changed[2]?.['content']).toEqual([{ type: 'text', text: 'It failed\n{"short":true}' }, picture('b')]);
  });

  test('puts new entries at their position in the history', () => {
    const entry = (text: string, speaker: 'human' | 'ai' = 'human'): IContent => ({
      speaker,
      blocks: [{ type: 'text', text }],
    });
    const written = edited(document, (entries) => [
      entry('first'),
      entry('second', 'ai'),
      ...entries.slice(1, 4),
      entry('between'),
      ...entries.slice(4),
      entry('last'),
    ]);
    expect(words(history(written))).toEqual([
      'human first',
      'ai second',
      'ai look + call 1 + call 2',
      'tool 1: one',
      'tool 2: two',
      'human between',
      'ai done',
      'human last',
    ]);
    expect(written[0]).toEqual(document[0]);
  });

  test('refuses to change what has no text', () => {
    const shown = [user([picture('a')])];
    const media: ContentBlock = { type: 'media', mimeType: 'image/png', data: 'YQ==', encoding: 'base64' };
    expect(() => edited(shown, (entries) => entries.map((entry) => ({ ...entry, blocks: [media] })))).toThrow(
      /media block/,
    );
  });
});

describe('creating OpenAI chat messages', () => {
  test('says a failure in the text, because the API has no field for it (docs/readings.md, row 20)', () => {
    const entries: IContent[] = [
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: '1', name: 'f', parameters: {} }] },
      {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId: '1', toolName: 'f', result: 'words', error: 'Exit code 2' }],
      },
    ];
    const text = decode(joinLines(openaiChat.create?.(entries, { id: 'new', startedAt: 0 }) ?? []));
    expect(words(historyOf(openaiChat, text))[1]).toBe('tool 1: Exit code 2\nwords');
  });
});
