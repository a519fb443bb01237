import type { FormatSample } from '../contracts/format.ts';

type Json = Record<string, unknown>;

const START = {
  sessionId: 's-1',
  projectHash: 'a1b2',
  workspaceDirs: ['/repo/demo'],
  provider: 'anthropic',
  model: 'model-x',
};

export const recording = (...lines: readonly (readonly [type: string, payload: Json])[]): string =>
  lines
    .map(([type, payload], index) => {
      const ts = new Date(Date.UTC(2026, 3, 1, 9, 0, index)).toISOString();
      return `${JSON.stringify({ v: 1, seq: index + 1, ts, type, payload })}\n`;
    })
    .join('');

const content = (speaker: string, ...blocks: readonly Json[]): [string, Json] => [
  'content',
  { content: { speaker, blocks } },
];
export const text = (speaker: string, words: string): [string, Json] => content(speaker, { type: 'text', text: words });
const call = (id: string, name: string, parameters: Json): Json => ({ type: 'tool_call', id, name, parameters });
const response = (callId: string, toolName: string, facts: Json): Json => ({
  type: 'tool_response',
  callId,
  toolName,
  ...facts,
});
export const start: [string, Json] = ['session_start', START];

const PLAIN = recording(
  start,
  text('human', 'Why is `a` undefined? ✗'),
  content(
    'ai',
    { type: 'thinking', thought: 'Look first.', signature: 'c2ln', sourceField: 'thinking' },
    { type: 'text', text: 'I look.' },
    call('c1', 'read_file', { absolute_path: '/repo/demo/a.ts', offset: 0, limit: 20 }),
    call('c2', 'replace', { file_path: '/repo/demo/a.ts', old_string: 'b', new_string: 'c' }),
  ),
  ['provider_switch', { provider: 'openai' }],
  content('tool', response('c1', 'read_file', { result: 'let a;\n' })),
  content('tool', response('c2', 'replace', { result: '', error: 'Failed to edit, 0 occurrences found.' })),
  text('ai', 'It lacks a value.'),
  ['session_event', { severity: 'info', message: 'Saved.' }],
  text('human', 'Thanks.'),
);

const CHANGED = recording(
  start,
  text('human', 'Read a.ts.'),
  text('ai', 'Read.'),
  text('human', 'Not that.'),
  ['rewind', { itemsRemoved: 1 }],
  text('human', 'And b.ts.'),
  ['compressed', { summary: { speaker: 'human', blocks: [{ type: 'text', text: 'They read.' }] }, itemsCompressed: 2 }],
  text('ai', 'Read too.'),
);

/** Invented recordings: one way, and one that was rewound and compressed. */
export const llxprtSample: FormatSample = {
  shape: 'lines',
  texts: [PLAIN, CHANGED],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
