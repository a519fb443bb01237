import type { FormatSample } from '../contracts/format.ts';

const ENTRIES = [
  {
    speaker: 'human',
    blocks: [{ type: 'text', text: 'Why is `a` undefined? ✗' }],
    metadata: { id: 'e1', turnId: 't1' },
  },
  {
    speaker: 'ai',
    blocks: [
      { type: 'thinking', thought: 'Look first.', signature: 'c2ln', sourceField: 'thinking' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'c1', name: 'read_file', parameters: { absolute_path: '/repo/demo/a.ts', limit: 20 } },
      { type: 'tool_call', id: 'c2', name: 'replace', parameters: { file_path: '/repo/demo/a.ts' } },
    ],
    metadata: { id: 'e2', model: 'model-x' },
  },
  { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'c1', toolName: 'read_file', result: 'let a;\n' }] },
  {
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId: 'c2', toolName: 'replace', result: '', error: 'Failed to edit.' }],
  },
  { speaker: 'ai', blocks: [{ type: 'text', text: 'It lacks a value.' }] },
  { speaker: 'human', blocks: [{ type: 'text', text: 'Thanks.' }] },
];

/** Invented checkpoints: a bare list, and a list in its wrapping. */
export const llxprtCheckpointSample: FormatSample = {
  shape: 'document',
  texts: [
    `[\n${ENTRIES.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`,
    JSON.stringify({ history: ENTRIES, authType: 'oauth' }, null, 2),
  ],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
