import type { FormatSample } from '../contracts/format.ts';

export type Json = Record<string, unknown>;

/** Invented rollout lines. The second of a line counts up from its place. */
export function rollout(...lines: readonly (readonly [type: string, payload: Json])[]): string {
  return lines
    .map(([type, payload], index) => {
      const timestamp = new Date(Date.UTC(2026, 4, 1, 9, 0, index)).toISOString();
      return `${JSON.stringify({ timestamp, type, payload })}\n`;
    })
    .join('');
}

export const item = (payload: Json): [string, Json] => ['response_item', payload];
export const event = (payload: Json): [string, Json] => ['event_msg', payload];
export const meta = (id = 'thread-1'): [string, Json] => [
  'session_meta',
  { id, cwd: '/repo/demo', cli_version: '0.130.0', base_instructions: { text: 'You write code.' } },
];
export const turn = (model = 'model-x'): [string, Json] => ['turn_context', { cwd: '/repo/demo', model }];
export const said = (role: string, text: string): [string, Json] =>
  item({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
export const thought = (encrypted: string): [string, Json] =>
  item({ type: 'reasoning', id: `rs_${encrypted}`, summary: [], encrypted_content: encrypted });
export const shell = (id: string, command: string): [string, Json] =>
  item({ type: 'function_call', name: 'shell_command', arguments: JSON.stringify({ command }), call_id: id });
export const output = (id: string, text: unknown): [string, Json] =>
  item({ type: 'function_call_output', call_id: id, output: text });
export const counted = (totalTokens: number, lastInput: number): [string, Json] =>
  event({
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: totalTokens },
      last_token_usage: {
        input_tokens: lastInput,
        cached_input_tokens: 2,
        output_tokens: 3,
        total_tokens: lastInput + 3,
      },
    },
  });

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-let a;\n+let a = 1;\n*** End Patch\n';

const CURRENT = rollout(
  meta(),
  event({ type: 'task_started', turn_id: 't1' }),
  said('developer', '<permissions instructions>\nAll is allowed.'),
  said('user', '<environment_context>\n  <cwd>/repo/demo</cwd>\n</environment_context>'),
  turn(),
  item({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Why is `a` undefined? ✗' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=' },
    ],
  }),
  event({ type: 'user_message', message: 'Why is `a` undefined? ✗' }),
  thought('c2VjcmV0MQ'),
  event({ type: 'agent_message', message: 'I look.' }),
  said('assistant', 'I look.'),
  shell('call_1', 'cat a.ts'),
  shell('call_2', 'npm test'),
  event({ type: 'exec_command_end', call_id: 'call_1', aggregated_output: 'let a;\n', exit_code: 0 }),
  counted(13, 10),
  output('call_1', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nlet a;\n'),
  output('call_2', 'Exit code: 1\nWall time: 2.5 seconds\nOutput:\n1 failed\n'),
  counted(13, 10),
  thought('c2VjcmV0Mg'),
  said('assistant', 'It lacks a value.'),
  item({ type: 'custom_tool_call', status: 'completed', call_id: 'call_3', name: 'apply_patch', input: PATCH }),
  item({
    type: 'custom_tool_call_output',
    call_id: 'call_3',
    output: '{"output":"Success.\\nM a.ts\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}',
  }),
  counted(40, 24),
  said('assistant', 'Done: `a` is 1.'),
  event({ type: 'task_complete', turn_id: 't1' }),
);

const COMPACTED = rollout(
  meta(),
  turn(),
  said('user', 'Read a.ts.'),
  shell('call_1', 'cat a.ts'),
  output('call_1', 'let a;\n'),
  said('assistant', 'Read.'),
  [
    'compacted',
    {
      message: '',
      replacement_history: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read a.ts.' }] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Read.' }],
          phase: 'final_answer',
        },
        { type: 'compaction', encrypted_content: 'b3BhcXVl' },
      ],
    },
  ],
  event({ type: 'context_compacted' }),
  said('user', 'Read b.ts and look at the picture.'),
  item({ type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'b.ts' } }),
  shell('call_1', 'cat b.ts'),
  item({ type: 'function_call', name: 'view_image', arguments: '{"path": "b.png"}', call_id: 'call_2' }),
  output('call_1', 'let b;\n'),
  output('call_2', [
    { type: 'input_text', text: 'attached' },
    { type: 'input_image', image_url: 'https://example.org/b.png' },
  ]),
  shell('call_3', 'sleep 1000'),
);

/** Invented rollouts: a current one with failures, images and a patch, and one that was compacted and ends on a call. */
export const codexSample: FormatSample = {
  shape: 'lines',
  texts: [CURRENT, COMPACTED],
  holds: ['error', 'media'],
  idsArePlaces: true,
};
