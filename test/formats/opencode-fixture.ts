import type { FormatSample } from '../contracts/format.ts';

type Json = Record<string, unknown>;

export const SESSION = 'ses_0001';
const START = 1_760_000_000_000;

export const info = (facts: Json = {}): Json => ({
  id: SESSION,
  slug: 'quiet-owl',
  projectID: 'p1',
  directory: '/repo/demo',
  title: 'Fix it',
  version: '1.4.3',
  time: { created: START, updated: START },
  ...facts,
});

const parted = (id: string, parts: readonly Json[]): Json[] =>
  parts.map((part, index) => ({ ...part, id: `prt_${id}${index}`, sessionID: SESSION, messageID: `msg_${id}` }));

export const asked = (id: string, ...parts: readonly Json[]): Json => ({
  info: { role: 'user', id: `msg_${id}`, sessionID: SESSION, time: { created: START }, agent: 'build' },
  parts: parted(id, parts),
});

export const answered = (id: string, parent: string, facts: Json, ...parts: readonly Json[]): Json => ({
  info: {
    role: 'assistant',
    id: `msg_${id}`,
    sessionID: SESSION,
    parentID: `msg_${parent}`,
    modelID: 'model-x',
    providerID: 'provider-x',
    path: { cwd: '/repo/demo', root: '/repo/demo' },
    tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 30, write: 5 } },
    time: { created: START + 1000, completed: START + 2000 },
    ...facts,
  },
  parts: parted(id, [{ type: 'step-start', snapshot: 'abc' }, ...parts, { type: 'step-finish', reason: 'stop' }]),
});

export const text = (words: string, facts: Json = {}): Json => ({ type: 'text', text: words, ...facts });
export const tool = (callID: string, name: string, state: Json): Json => ({ type: 'tool', tool: name, callID, state });
export const done = (input: Json, output: string, facts: Json = {}): Json => ({
  status: 'completed',
  input,
  output,
  title: '',
  metadata: { preview: 'for the screen' },
  time: { start: START, end: START + 5 },
  ...facts,
});

/** When opencode cleared a result itself. */
const CLEARED = { start: START, end: START + 5, compacted: START + 9 };

const PICTURE = { type: 'file', mime: 'image/png', filename: 'b.png', url: 'data:image/png;base64,aGVsbG8=' };

const PLAIN = [
  asked(
    '01',
    text('Why is `a` undefined? ✗ @a.ts'),
    { type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///repo/demo/a.ts' },
    text('Called the Read tool with {"filePath":"a.ts"}', { synthetic: true }),
  ),
  answered(
    '02',
    '01',
    { finish: 'tool-calls' },
    { type: 'reasoning', text: 'Look first.', metadata: { anthropic: { signature: 'c2ln' } } },
    text('I look.'),
    tool('c1', 'read', done({ filePath: '/repo/demo/a.ts', offset: 0, limit: 20 }, 'let a;\n')),
    tool('c2', 'edit', {
      status: 'error',
      input: { filePath: '/repo/demo/a.ts', oldString: 'b', newString: 'c' },
      error: 'oldString not found in content\nNothing was changed.',
      time: { start: START, end: START },
    }),
  ),
  answered('03', '01', { finish: 'stop' }, text('It lacks a value.'), { type: 'patch', hash: 'abc', files: [] }),
  asked('04', text('And the picture?'), PICTURE),
  answered(
    '05',
    '04',
    { finish: 'stop' },
    tool('c3', 'read', done({ filePath: 'b.png' }, 'Image read.', { attachments: [PICTURE] })),
    { type: 'step-finish', reason: 'tool-calls' },
    { type: 'step-start' },
    text('A cat.'),
    tool('c4', 'bash', done({ command: 'ls' }, 'a.ts b.png')),
  ),
];

const COMPACTED = [
  asked('01', text('Read a.ts.')),
  answered('02', '01', { finish: 'stop' }, text('Read.'), tool('c1', 'read', done({ filePath: 'a.ts' }, 'let a;\n'))),
  asked('03', { type: 'compaction', auto: true, overflow: false }),
  answered('04', '03', { finish: 'stop', summary: true, mode: 'compaction' }, text('They read a.ts.')),
  asked('05', text('Continue if you have next steps.', { synthetic: true })),
  answered('06', '05', {}, text('I look.'), tool('c3', 'bash', done({ command: 'ls' }, 'a.ts', { time: CLEARED }))),
  answered('07', '05', {}, text('On it.'), tool('c2', 'bash', { status: 'running', input: { command: 'sleep 9' } })),
];

/** Invented exports: pretty, with a failed edit and two steps in one answer; and one that was compacted, with a cleared result. */
export const opencodeSample: FormatSample = {
  shape: 'document',
  texts: [
    JSON.stringify({ info: info(), messages: PLAIN }, null, 2),
    `${JSON.stringify({ info: info(), messages: COMPACTED })}\n`,
  ],
  holds: ['error', 'media'],
};
