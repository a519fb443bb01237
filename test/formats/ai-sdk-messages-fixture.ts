import type { FormatSample } from '../contracts/format.ts';

const call = (toolCallId: string, toolName: string, input: unknown) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
});

const result = (toolCallId: string, toolName: string, output: unknown) => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output,
});

const MESSAGES = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'What do a.ts and b.ts export? ✗' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Two files.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'text', text: 'I read both.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      call('call_1', 'read_file', { path: 'a.ts' }),
      call('call_2', 'read_file', { path: 'b.ts' }),
    ],
  },
  {
    role: 'tool',
    content: [
      result('call_1', 'read_file', { type: 'text', value: 'export const a = 1;\n' }),
      result('call_2', 'read_file', { type: 'json', value: { lines: ['export {};'] } }),
    ],
  },
  { role: 'assistant', content: [call('call_3', 'shell', { command: 'make' })] },
  { role: 'tool', content: [result('call_3', 'shell', { type: 'error-text', value: 'Exit code 2\nno rule' })] },
  { role: 'assistant', content: [{ type: 'text', text: 'Only `a`.' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And this?' },
      { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
      { type: 'file', data: 'https://example.com/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
    ],
  },
];

const APPROVALS = [
  { role: 'user', content: [{ type: 'text', text: 'Take a picture and delete it.' }] },
  {
    role: 'assistant',
    content: [
      call('call_1', 'camera', {}),
      call('call_2', 'delete', { path: 'a.png' }),
      { type: 'tool-approval-request', approvalId: 'approval-1', toolCallId: 'call_2' },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId: 'approval-1', approved: false, reason: 'Keep it.' },
      result('call_2', 'delete', { type: 'execution-denied', reason: 'Keep it.' }),
      result('call_1', 'camera', {
        type: 'content',
        value: [
          { type: 'text', text: 'a.png' },
          { type: 'file-data', data: 'aGVsbG8=', mediaType: 'image/png' },
        ],
      }),
    ],
  },
  { role: 'assistant', content: [call('call_4', 'shell', { command: 'sleep 1000' })] },
];

/**
 * Invented model messages of the AI SDK: an object with a list, and a bare list.
 * Source: `ai` 6, `modelMessageSchema`, which a test compares them with.
 */
export const aiSdkMessagesSample: FormatSample = {
  shape: 'document',
  texts: [`${JSON.stringify({ messages: MESSAGES })}\n`, JSON.stringify(APPROVALS, null, 2)],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
