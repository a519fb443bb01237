import type { FormatSample } from '../contracts/format.ts';

const ENTRIES = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Why does the build fail?' }], metadata: { id: 'h1' } },
  {
    speaker: 'ai',
    blocks: [
      { type: 'thinking', thought: 'Look at both.', signature: 'abc' },
      { type: 'tool_call', id: 'c1', name: 'read_file', parameters: { file_path: '/w/a.ts' } },
      { type: 'tool_call', id: 'c2', name: 'run_shell_command', parameters: { command: 'make' } },
    ],
    metadata: { id: 'a1', usage: { promptTokens: 10, completionTokens: 2, totalTokens: 12 } },
  },
  {
    speaker: 'tool',
    blocks: [
      { type: 'tool_response', callId: 'c1', toolName: 'read_file', result: 'export {};\n' },
      { type: 'tool_response', callId: 'c2', toolName: 'run_shell_command', result: { out: '' }, error: 'exit 2' },
    ],
    metadata: { id: 't1' },
  },
  { speaker: 'ai', blocks: [{ type: 'text', text: 'A rule is missing. ✗' }] },
];

const HEADER = { format: 'high-density', version: 1, id: 's1', model: 'm', workspaceRoot: '/w' };

/** Our own JSONL, with and without ids, and with white space as another program may write it. */
export const highDensitySample: FormatSample = {
  shape: 'lines',
  texts: [
    [HEADER, ...ENTRIES].map((line) => `${JSON.stringify(line)}\n`).join(''),
    `${JSON.stringify(HEADER)}\n\n{ "speaker" : "human", "blocks" : [ {"type":"text","text":"one"} , {"type":"text","text":"two"} ] }\n`,
  ],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
