import type { FormatSample } from '../contracts/format.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is printed in one session, each line with its facts. */
export const printed = (...lines: readonly Json[]): string =>
  lines.map((line, at) => `${JSON.stringify({ ...line, session_id: 's-1', uuid: `u${at}` })}\n`).join('');

export const init: Json = { type: 'system', subtype: 'init', cwd: '/repo/demo', model: 'claude-sonnet-4-5', tools: [] };
const said = (type: string, message: Json, at: number, more: Json = {}): Json => ({
  type,
  message,
  parent_tool_use_id: null,
  timestamp: new Date(Date.UTC(2026, 10, 27, 9, 0, at)).toISOString(),
  ...more,
});
export const user = (at: number, content: unknown, more: Json = {}): Json =>
  said('user', { role: 'user', content }, at, more);
export const answer = (at: number, id: string, part: Json, more: Json = {}): Json =>
  said(
    'assistant',
    {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [part],
      usage: { input_tokens: 100, cache_read_input_tokens: 800, cache_creation_input_tokens: 0, output_tokens: 1 },
    },
    at,
    more,
  );
export const result = (at: number, id: string, content: string, more: Json = {}): Json =>
  user(at, [{ type: 'tool_result', tool_use_id: id, content }], more);
export const call = (id: string, name: string, input: Json): Json => ({ type: 'tool_use', id, name, input });
const thinking = (text: string): Json => ({ type: 'thinking', thinking: text, signature: 'c2ln' });
const INSIDE = { parent_tool_use_id: 'c2', agent_id: 'a1' };

/** The boundary and the summary of a compaction. */
export const compaction = (at: number, summary: string): readonly Json[] => [
  {
    type: 'system',
    subtype: 'compact_boundary',
    compact_metadata: { trigger: 'manual', pre_tokens: 49_468, post_tokens: 3_451 },
  },
  user(at, summary, { isReplay: true, isSynthetic: true }),
];

const PLAIN = printed(
  init,
  { type: 'system', subtype: 'thinking_tokens', estimated_tokens: 4 },
  answer(0, 'm1', thinking('I look. ✗')),
  answer(0, 'm1', call('c1', 'Read', { file_path: '/repo/demo/a.ts' })),
  result(1, 'c1', '1\tlet a;'),
  answer(2, 'm2', call('c2', 'Agent', { prompt: 'Look.', subagent_type: 'general-purpose' })),
  answer(3, 'm3', { type: 'text', text: 'Inside.' }, INSIDE),
  result(4, 'c2', 'Nothing there.'),
  answer(5, 'm4', { type: 'text', text: 'It lacks a value.' }),
  { type: 'result', subtype: 'success', result: 'It lacks a value.', num_turns: 3 },
);
const COMPACTED = printed(
  init,
  user(0, 'Read a.ts.', { isReplay: true }),
  answer(1, 'm1', { type: 'text', text: 'Read.' }),
  ...compaction(2, 'They read.'),
  user(3, 'Go on.', { isReplay: true }),
  answer(4, 'm2', { type: 'text', text: 'Done.' }),
);

/** Invented output: without the prompt and with a sub-agent, and with a compaction. */
export const claudeCodeStreamSample: FormatSample = { shape: 'lines', texts: [PLAIN, COMPACTED], holds: [] };
