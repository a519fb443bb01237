import type { FormatSample } from '../contracts/format.ts';

const tool = (name: string, toolCallId: string, rest: Record<string, unknown>) => ({
  type: `tool-${name}`,
  toolCallId,
  ...rest,
});
const text = (words: string) => ({ type: 'text', text: words, state: 'done' });
const step = { type: 'step-start' };

const CHAT = [
  { id: 'm-0', role: 'system', parts: [text('You help.')] },
  { id: 'm-1', role: 'user', parts: [text('What do a.ts and b.ts export? ✗')] },
  {
    id: 'm-2',
    role: 'assistant',
    metadata: { model: 'model-x' },
    parts: [
      step,
      { type: 'reasoning', text: 'Two files.', providerMetadata: { anthropic: { signature: 'c2ln' } }, state: 'done' },
      text('I read both.'),
      tool('read_file', 'call_1', {
        state: 'output-available',
        input: { path: 'a.ts' },
        output: 'export const a = 1;\n',
      }),
      tool('read_file', 'call_2', {
        state: 'output-available',
        input: { path: 'b.ts' },
        output: 'export {};',
      }),
      step,
      text('Now the build.'),
      {
        type: 'dynamic-tool',
        toolName: 'shell',
        toolCallId: 'call_3',
        state: 'output-error',
        input: { command: 'make' },
        errorText: 'Exit code 2\nno rule',
      },
      { type: 'source-url', sourceId: 's-1', url: 'https://example.com' },
      step,
      text('Only `a`.'),
    ],
  },
  {
    id: 'm-3',
    role: 'user',
    parts: [
      text('And this?'),
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,aGVsbG8=', filename: 'a.png' },
      { type: 'data-mood', data: { mood: 'fine' } },
    ],
  },
];

const PENDING = [
  { id: 'm-1', role: 'user', parts: [text('Delete a.ts and wait.')] },
  {
    id: 'm-2',
    role: 'assistant',
    parts: [
      step,
      tool('delete', 'call_1', {
        state: 'output-denied',
        input: { path: 'a.ts' },
        approval: { id: 'approval-1', approved: false, reason: 'Keep it.' },
      }),
      tool('list', 'call_3', { state: 'output-available', input: {}, output: { files: ['a.ts'] } }),
      step,
      text('Then I wait.'),
      tool('shell', 'call_2', { state: 'input-available', input: { command: 'sleep 1000' } }),
    ],
  },
];

/**
 * Invented UI messages of the AI SDK: a bare list, and a chat that ends on a call.
 * Source: `ai` 6, `validateUIMessages`, which a test compares them with.
 */
export const aiSdkUiSample: FormatSample = {
  shape: 'document',
  texts: [`${JSON.stringify(CHAT, null, 2)}\n`, JSON.stringify({ id: 'chat-1', messages: PENDING })],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
