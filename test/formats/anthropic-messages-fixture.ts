import type { FormatSample } from '../contracts/format.ts';

const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, rest: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...rest,
});

const MESSAGES = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is in a.ts and on the picture? ✗' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Both at once.', signature: 'c2ln' },
      { type: 'text', text: 'I look.' },
      use('toolu_1', 'Read', { file_path: '/repo/a.ts' }),
      use('toolu_2', 'Bash', { command: 'npm test' }),
    ],
  },
  {
    role: 'user',
    content: [
      result('toolu_1', 'export const a = 1;\n'),
      result('toolu_2', 'Exit code 1\n1 failed', { is_error: true }),
      { type: 'text', text: '<system-reminder>Be brief.</system-reminder>', cache_control: { type: 'ephemeral' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Again.' },
      { type: 'redacted_thinking', data: 'c2VhbGVk' },
      use('toolu_3', 'Read', {}),
    ],
  },
  {
    role: 'user',
    content: [
      result('toolu_3', [
        { type: 'text', text: 'attached' },
        { type: 'image', source: { type: 'url', url: 'https://example.org/b.png' } },
      ]),
    ],
  },
  { role: 'assistant', content: 'It is `1`.' },
  { role: 'user', content: 'Thanks.' },
];

const pending = [...MESSAGES, { role: 'assistant', content: [use('toolu_4', 'Bash', { command: 'sleep 1000' })] }];

/** Invented requests: a whole body, a bare list that ends on a call, and talk that only the body distinguishes. */
export const anthropicMessagesSample: FormatSample = {
  shape: 'document',
  texts: [
    `${JSON.stringify({ model: 'claude-x', messages: MESSAGES, system: [{ type: 'text', text: 'You code.' }], tools: [{ name: 'Read', input_schema: {} }], max_tokens: 100 })}\n`,
    JSON.stringify(pending, null, 2),
    JSON.stringify({
      system: 'You talk.',
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: [{ type: 'text', text: 'Tell me what a monad is, please.' }] },
      ],
    }),
  ],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
