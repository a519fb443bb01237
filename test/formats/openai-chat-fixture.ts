import type { FormatSample } from '../contracts/format.ts';

const call = (id: string, name: string, parameters: string) => ({
  id,
  type: 'function',
  function: { name, arguments: parameters },
});

const MESSAGES = [
  { role: 'system', content: 'You help.' },
  { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'user', content: 'What do a.ts and b.ts export? ✗' },
  {
    role: 'assistant',
    content: 'I read both.',
    reasoning_content: 'Two files.',
    tool_calls: [call('call_1', 'read_file', '{"path": "a.ts"}'), call('call_2', 'read_file', '{"path":"b.ts"}')],
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'read_file', content: 'export const a = 1;\n' },
  { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'export {};' }] },
  { role: 'assistant', content: null, tool_calls: [call('call_1', 'shell', 'not json')] },
  { role: 'tool', tool_call_id: 'call_1', content: '' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Only `a`.' },
      { type: 'refusal', refusal: 'No more.' },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=', detail: 'low' } },
    ],
  },
  { role: 'assistant', content: '', tool_calls: [call('call_3', 'shell', '{"command":"sleep 1000"}')] },
];

const REASONER = {
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi', _metadata: { tokens: 3 } },
    { role: 'system', content: 'The user is away.' },
  ],
  meta: { run: 1 },
};

/** Invented chat messages: an object, a bare list, a list of trajectories, plain talk. */
export const openaiChatSample: FormatSample = {
  shape: 'document',
  texts: [
    `${JSON.stringify({ model: 'gpt-x', messages: MESSAGES.slice(0, -1), tools: [{ type: 'function' }] })}\n`,
    JSON.stringify(MESSAGES, null, 2),
    JSON.stringify([
      { task_id: 1, traj: MESSAGES },
      { task_id: 2, traj: MESSAGES.slice(2) },
    ]),
    `${JSON.stringify(REASONER, null, 1)}\n`,
  ],
  holds: ['media'],
  idsArePlaces: true,
};
