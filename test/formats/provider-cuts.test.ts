import { describe, expect, test } from 'vitest';
import { liveHistory } from '../../src/formats/contract.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { rewritten } from '../contracts/format.ts';

const SUMMARY = { type: 'compaction', content: 'b.ts was read.' };
const use = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: { file_path: '/b.ts' } });
const result = (id: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }],
});
const MESSAGES = [
  { role: 'user', content: 'Fix it.' },
  { role: 'assistant', content: [use('t1')] },
  result('t1'),
  { role: 'assistant', content: [SUMMARY, use('t2')] },
  result('t2'),
];
const ITEMS = [
  { type: 'message', role: 'user', content: 'Fix it.' },
  { type: 'function_call', call_id: 't1', name: 'shell', arguments: '{}' },
  { type: 'function_call_output', call_id: 't1', output: 'of t1' },
  { type: 'compaction', encrypted_content: 'sealed' },
  { type: 'function_call', call_id: 't2', name: 'shell', arguments: '{}' },
  { type: 'function_call_output', call_id: 't2', output: 'of t2' },
];
const aiSdk = (place: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'Read', input: {} }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Read', output: { type: 'text', value: 'of t1' } }],
  },
  {
    role: 'assistant',
    content: [{ type: 'text', text: 'b.ts was read.', [place]: { anthropic: { type: 'compaction' } } }],
  },
  { role: 'user', content: 'Go on.' },
];
const recorded = (...messages: object[]): string =>
  messages
    .map((message, at) => {
      const common = { sessionId: 's', version: '2.1.9', isSidechain: false, timestamp: '2026-11-20T08:00:00.000Z' };
      const { role } = message as { role: string };
      const own = role === 'assistant' ? { id: `m${at}`, model: 'claude-opus-5', ...message } : message;
      return `${JSON.stringify({ parentUuid: at === 0 ? null : `u${at - 1}`, uuid: `u${at}`, ...common, type: role, message: own })}\n`;
    })
    .join('');

const FILES: readonly (readonly [name: string, text: string, seen: string[]])[] = [
  ['anthropic-messages', JSON.stringify({ messages: MESSAGES }), ['code tool_call', 'tool_response']],
  ['openai-responses', JSON.stringify({ input: ITEMS }), ['text', 'thinking', 'tool_call', 'tool_response']],
  ['ai-sdk-messages', JSON.stringify(aiSdk('providerOptions')), ['text', 'text']],
  ['claude-code', recorded(...MESSAGES), ['code tool_call', 'tool_response']],
  ['cline', JSON.stringify(MESSAGES.map((one, ts) => ({ ...one, ts }))), ['code tool_call', 'tool_response']],
];

describe.each(FILES)('%s', (name, text, seen) => {
  const format = formatNamed(name);

  test('what a provider summarised is not in the context any more', () => {
    const session = format.read(linesOfText(text));
    expect(liveHistory(session).map(({ blocks }) => blocks.map(({ type }) => type).join(' '))).toEqual(seen);
    expect(session.events.filter(({ kind }) => kind === 'replace')).toMatchObject([{ by: { kind: 'compaction' } }]);
  });

  test('a change of what is left keeps the rest of the file', () => {
    const history = liveHistory(format.read(linesOfText(text)));
    expect(rewritten(format, text, history)).toBe(text);
    const last = history.at(-1)!;
    const changed = last.blocks.map((block) =>
      block.type === 'tool_response'
        ? { ...block, result: 'short' }
        : block.type === 'text'
          ? { ...block, text: 'short' }
          : block,
    );
    const after = rewritten(format, text, [...history.slice(0, -1), { ...last, blocks: changed }]);
    expect(after).toBe(text.replace(/of t2|Go on\./, 'short'));
  });

  test('a summary that is gone hides nothing: what it stood for is gone too', () => {
    expect(rewritten(format, text, liveHistory(format.read(linesOfText(text))).slice(-1))).not.toContain('t1');
  });
});

test('a summary without content is none', () => {
  const failed = MESSAGES.map((one, at) =>
    at === 3 ? { ...one, content: [{ ...SUMMARY, content: null }, use('t2')] } : one,
  );
  const session = formatNamed('anthropic-messages').read(linesOfText(JSON.stringify({ messages: failed })));
  expect(liveHistory(session)).toHaveLength(5);
});
