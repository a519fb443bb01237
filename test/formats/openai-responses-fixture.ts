import type { FormatSample } from '../contracts/format.ts';

const call = (call_id: string, name: string, args: string) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: args,
});
const output = (call_id: string, text: unknown) => ({ type: 'function_call_output', call_id, output: text });
const answer = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const INPUT = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'What do a.ts and b.ts export? ✗' },
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Two files.' }],
    encrypted_content: 'c2VhbGVk',
  },
  { ...answer('I read both.'), id: 'msg_1', status: 'completed' },
  { ...call('call_1', 'read_file', '{"path": "a.ts"}'), id: 'fc_1' },
  call('call_2', 'read_file', '{"path":"b.ts"}'),
  output('call_1', 'export const a = 1;\n'),
  output('call_2', 'export {};'),
  { type: 'custom_tool_call', call_id: 'call_3', name: 'apply_patch', input: '*** Begin Patch' },
  { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Done' },
  { role: 'user', content: 'Search.' },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'b' } },
  answer('Only `a`.'),
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'And this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=', detail: 'auto' },
    ],
  },
];

/** Invented items of the Responses API: a request, a bare list that ends on a call, a response. */
export const openaiResponsesSample: FormatSample = {
  shape: 'document',
  texts: [
    `${JSON.stringify({ model: 'gpt-x', instructions: 'You help.', input: INPUT, tools: [{ type: 'function' }], store: false }, null, 2)}\n`,
    JSON.stringify([
      ...INPUT.slice(1),
      call('call_8', 'read_file', '{}'),
      output('call_8', [{ type: 'input_text', text: 'c' }]),
      call('call_9', 'shell', '{"command":"sleep 1000"}'),
    ]),
    JSON.stringify({ id: 'resp_1', object: 'response', model: 'gpt-x', output: INPUT.slice(2, 6) }),
  ],
  holds: ['error', 'media'],
  idsArePlaces: true,
};
