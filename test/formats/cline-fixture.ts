import type { FormatSample } from '../contracts/format.ts';

const text = (words: string) => ({ type: 'text', text: words });
const details = (mode: string) =>
  text(
    `<environment_details>\n# Current Mode\n<slug>${mode}</slug>\n<model>model-x</model>\n\n# Current Workspace Directory (/repo/demo) Files\na.ts\n</environment_details>`,
  );
const T = 1_750_000_000_000;

const NATIVE = [
  { role: 'user', content: [text('<task>\nFix a.ts ✗\n</task>'), details('code')], ts: T },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' },
      text('I read both.'),
      { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.ts' } },
      { type: 'tool_use', id: 'toolu_2', name: 'read_file', input: { absolutePath: '/repo/demo/b.ts' } },
    ],
    ts: T + 1,
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: '1 | const a = 1;\n' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: '1 | let b;' },
      details('code'),
    ],
    ts: T + 2,
  },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_3', name: 'apply_diff', input: { path: 'a.ts', diff: 'x' } }],
    ts: T + 3,
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_3',
        content: '{"status":"error","message":"The tool execution failed","error":"No match."}',
      },
    ],
    ts: T + 4,
  },
  { role: 'assistant', content: [text('Sorry.')], ts: T + 5 },
  { role: 'user', content: 'Why?', ts: T + 6 },
];

const read = (path: string) => `<read_file>\n<args>\n<file>\n<path>${path}</path>\n</file>\n</args>\n</read_file>`;
const header = (path: string) => text(`[read_file for '${path}'. Reading several files at once is better.] Result:`);

const XML = [
  { role: 'user', content: [text('<task>\nFix a.ts\n</task>'), details('code')], ts: T },
  { role: 'assistant', content: [text(`I look.\n\n${read('a.ts')}`)], ts: T + 1 },
  {
    role: 'user',
    content: [
      header('a.ts'),
      text('<files>\n<file><path>a.ts</path>\n<content lines="1-1">\n1 | a\n</content>\n</file>\n</files>'),
      details('code'),
    ],
    ts: T + 2,
  },
  {
    role: 'assistant',
    content: [
      text(
        '<write_to_file>\n<path>a.ts</path>\n<content>\n</content> is no end\nb\n</content>\n</write_to_file>\n\n[Response interrupted by a tool use result. Only one tool may be used at a time.]',
      ),
    ],
    ts: T + 3,
  },
  {
    role: 'user',
    content: [
      text(
        "[write_to_file for 'a.ts'] Result:\nThe user approved this operation and provided the following context:\n<feedback>\nMind the end!\n</feedback>\nThe content was saved.",
      ),
      details('code'),
    ],
    ts: T + 4,
  },
  { role: 'assistant', content: [text(`No call: ${read('c.ts')}`)], ts: T + 5 },
  { role: 'user', content: [text('[ERROR] You did not use a tool.'), details('code')], ts: T + 6 },
  {
    role: 'assistant',
    content: [text('<execute_command>\n<command>make\n\n[Response interrupted by a tool use result. Only one.]')],
    ts: T + 7,
  },
  {
    role: 'user',
    content: [
      text("[execute_command for 'undefined'] Result:"),
      text('The tool execution failed with the following error:\n<error>\nNot allowed.\n</error>'),
      details('ask'),
    ],
    ts: T + 8,
  },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_9', name: 'list_files', input: { path: '.' } }],
    ts: T + 9,
  },
  { role: 'user', content: [text("[list_files for '.'] Result:\na.ts")], ts: T + 10 },
  {
    role: 'assistant',
    content: [text('<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>')],
    ts: T + 11,
  },
];

const SDK = {
  version: 1,
  sessionId: 'session-1',
  messages: [
    {
      id: 'msg_1',
      role: 'user',
      content: [text('Rename a.'), { type: 'file', path: '/repo/notes.txt', content: 'Mind the end.\n' }],
      ts: T,
    },
    {
      id: 'msg_2',
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'read_files',
          input: { files: [{ path: '/repo/a.ts', start_line: 1, end_line: 2 }, { path: '/repo/b.ts' }] },
        },
      ],
      ts: T + 1,
      modelInfo: { id: 'model-y', provider: 'cline' },
      metrics: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 4, cacheWriteTokens: 0, cost: 0.1 },
    },
    {
      id: 'msg_3',
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          name: 'read_files',
          content: [{ query: '/repo/a.ts:1-2', result: '1 | a', success: true }],
        },
      ],
      ts: T + 2,
    },
    {
      id: 'msg_4',
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'toolu_2',
          name: 'editor',
          input: { path: '/repo/a.ts', old_text: 'x', new_text: 'y' },
        },
      ],
      ts: T + 3,
    },
    {
      id: 'msg_5',
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          name: 'editor',
          content: '{"query":"edit:/repo/a.ts","result":"","error":"No match for old_text","success":false}',
        },
      ],
      ts: T + 4,
    },
    { id: 'msg_6', role: 'assistant', content: [text('Not found.')], ts: T + 5 },
  ],
  system_prompt: 'You edit files.',
};

const CONDENSED = [
  { role: 'user', content: [text('<task>\nOld\n</task>')], ts: T, condenseParent: 'condense-1' },
  { role: 'assistant', content: [text('Old answer.')], ts: T + 1, condenseParent: 'condense-1' },
  { role: 'user', content: [text('Shown again.')], ts: T + 2, condenseParent: 'condense-gone' },
  { role: 'user', content: [text('What happened: nothing.')], ts: T + 3, isSummary: true, condenseId: 'condense-1' },
  { role: 'assistant', content: [text('Cut away.')], ts: T + 4, truncationParent: 'cut-1' },
  {
    role: 'user',
    content: [text('[1 message was hidden]')],
    ts: T + 5,
    isTruncationMarker: true,
    truncationId: 'cut-1',
  },
  { role: 'assistant', content: [text('Go on.')], ts: T + 6 },
];

/** Invented conversations: native calls, calls as XML, a session of the Cline SDK, hidden messages, one without times. */
export const clineSample: FormatSample = {
  shape: 'document',
  texts: [
    JSON.stringify(NATIVE, null, 2),
    JSON.stringify(XML),
    JSON.stringify(SDK, null, 2),
    JSON.stringify(CONDENSED),
    JSON.stringify(XML.map(({ role, content }) => ({ role, content }))),
  ],
  holds: ['thinking', 'error', 'media'],
  idsArePlaces: true,
};
