import type { FormatSample } from '../contracts/format.ts';

type Json = Record<string, unknown>;

const at = (second: number): string => new Date(Date.UTC(2026, 3, 1, 9, 0, second)).toISOString();

export const HEADER = { sessionId: 's-1', projectHash: 'a1b2', startTime: at(0), lastUpdated: at(0), kind: 'main' };

export const asked = (id: string, content: unknown): Json => ({ id, timestamp: at(1), type: 'user', content });

export const answered = (id: string, content: unknown, ...toolCalls: readonly Json[]): Json => ({
  id,
  timestamp: at(2),
  type: 'gemini',
  content,
  thoughts: [{ subject: 'Looking', description: 'Which file is it?', timestamp: at(2) }],
  tokens: { input: 100, output: 5, cached: 40, thoughts: 7, tool: 0, total: 112 },
  model: 'gemini-x',
  ...(toolCalls.length > 0 && { toolCalls }),
});

export const called = (id: string, name: string, args: Json, response: Json, status = 'success'): Json => ({
  id,
  name,
  args,
  result: [{ functionResponse: { id, name, response } }],
  status,
  timestamp: at(3),
  resultDisplay: 'for the screen',
  displayName: name,
});

const READ = called('c1', 'read_file', { file_path: 'a.ts', start_line: 1, end_line: 20 }, { output: 'let a;\n' });
const EDIT = called(
  'c2',
  'replace',
  { file_path: 'a.ts', old_string: 'b', new_string: 'c' },
  { error: 'Failed to edit, 0 occurrences found.' },
  'error',
);
const CANCELLED = { ...called('c4', 'write_file', { file_path: 'b.ts' }, {}, 'cancelled'), result: null };

const MESSAGES = [
  { id: 'm0', timestamp: at(0), type: 'info', content: 'Update available.' },
  { ...asked('m1', [{ text: 'Why is `a` undefined? ✗' }]), displayContent: [{ text: '/why' }] },
  answered('m2', 'I look.', READ, EDIT),
  answered('m3', [{ text: 'It lacks ' }, { text: 'a value.' }]),
  asked('m4', 'Show me the picture, and write b.ts.'),
  answered(
    'm5',
    '',
    {
      ...called('c3', 'read_file', { file_path: 'b.png' }, { output: 'Binary content provided.' }),
      result: [
        { functionResponse: { id: 'c3', name: 'read_file', response: { output: 'Binary content provided.' } } },
        { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
      ],
    },
    CANCELLED,
  ),
  { id: 'm6', timestamp: at(5), type: 'error', content: 'Request cancelled.' },
  asked('m7', 'Go on.'),
];

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const set = (facts: Json): Json => ({ $set: facts });

const GROWING = lines(
  HEADER,
  MESSAGES[0],
  set({ lastUpdated: at(1) }),
  MESSAGES[1],
  answered('m2', 'I look.'),
  set({ lastUpdated: at(2), directories: ['/repo/demo'] }),
  answered('m2', 'I look.', READ, EDIT),
  ...MESSAGES.slice(3),
);

const REWOUND = lines(
  HEADER,
  asked('m1', 'Read a.ts.'),
  answered('m2', 'I read it.', READ),
  asked('m3', 'Not that one.'),
  answered('m4', 'Sorry.'),
  { $rewindTo: 'm3' },
  asked('m5', 'Now run the tests.'),
  answered('m6', '', { id: 'c9', name: 'run_shell_command', args: { command: 'npm test' }, status: 'executing' }),
);

const REPLACED = lines(
  HEADER,
  asked('m1', 'Read a.ts.'),
  answered('m2', 'I read it.', READ),
  asked('m3', 'Thanks.'),
  set({ messages: [asked('m9', 'What happened so far.'), answered('m2', 'I read it.', READ)] }),
  asked('m4', 'Go on.'),
);

/** The user message that repeats the results of these calls, as versions since 2026 write it. */
export const repeated = (id: string, ...calls: readonly Json[]): Json =>
  asked(
    id,
    calls.flatMap(({ result }) => result),
  );

const PICTURE = {
  ...called('c5', 'read_file', { file_path: 'b.png' }, { output: 'Binary content provided.' }),
  result: [
    { functionResponse: { id: 'c5', name: 'read_file', response: { output: 'Binary content provided.' } } },
    { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
  ],
};
const STOPPED = called('c6', 'run_shell_command', { command: 'npm test' }, { output: 'Stopped.' }, 'cancelled');

/** Each result twice, and after a prompt that failed each call twice too. */
const REPEATED = lines(
  HEADER,
  asked('m1', 'Read a.ts.'),
  answered('m2', ''),
  answered('m2', '', READ, EDIT),
  repeated('m3', READ, EDIT),
  answered('m4', '', PICTURE),
  repeated('m5', PICTURE),
  answered('m6', [{ functionCall: { id: 'c6', name: 'run_shell_command', args: { command: 'npm test' } } }], STOPPED),
  repeated('m7', STOPPED),
  answered('m8', 'Done.'),
);

/**
 * Invented recordings: messages that grow, one that was rewound and ends on a call, one whose messages were replaced, one
 * with each result twice.
 */
export const geminiCliSample: FormatSample = {
  shape: 'lines',
  texts: [GROWING, REWOUND, REPLACED, REPEATED],
  // A result is in the line of its call and in that of a message.
  linesPerBlock: 2,
  holds: ['error', 'media'],
};

/** Invented recordings as one document: pretty, and on one line. */
export const geminiCliJsonSample: FormatSample = {
  shape: 'document',
  texts: [
    JSON.stringify({ ...HEADER, messages: MESSAGES }, null, 2),
    `${JSON.stringify({ ...HEADER, directories: ['/repo/demo'], messages: MESSAGES.slice(0, 4) })}\n`,
  ],
  holds: ['error', 'media'],
};
