import type { FormatSample } from '../contracts/format.ts';

type Json = Record<string, unknown>;

const at = (second: number): string => new Date(Date.UTC(2026, 3, 1, 9, 0, second)).toISOString();
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

export const HEADER = { type: 'session', version: 3, id: 's-1', timestamp: at(0), cwd: '/repo/demo' };

export const user = (content: unknown): Json => ({ type: 'message', message: { role: 'user', content } });
export const said = (facts: Json, ...content: readonly Json[]): Json => ({
  type: 'message',
  message: {
    role: 'assistant',
    content,
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'model-x',
    usage: { input: 10, output: 5, cacheRead: 20, cacheWrite: 2 },
    stopReason: 'stop',
    ...facts,
  },
});
export const result = (toolCallId: string, toolName: string, content: readonly Json[], isError = false): Json => ({
  type: 'message',
  message: { role: 'toolResult', toolCallId, toolName, content, details: { text: 'for the screen' }, isError },
});
export const text = (words: string): Json => ({ type: 'text', text: words });
export const call = (id: string, name: string, args: Json): Json => ({ type: 'toolCall', id, name, arguments: args });

/** Entries in one chain, with ids that count up; `from` is the id that the first hangs on. */
export const chain = (start: number, from: string | null, ...entries: readonly Json[]): Json[] =>
  entries.map((entry, index) => {
    const id = (start + index).toString(16).padStart(8, '0');
    const parentId = index === 0 ? from : (start + index - 1).toString(16).padStart(8, '0');
    return { ...entry, id, parentId, timestamp: at(start + index) };
  });

const TURNS = [
  { type: 'model_change', provider: 'anthropic', modelId: 'model-x' },
  user([text('Why is `a` undefined? ✗')]),
  said(
    { stopReason: 'toolUse' },
    { type: 'thinking', thinking: 'Look first.', thinkingSignature: 'c2ln' },
    text('I look.'),
    { ...call('call_1|fc_1', 'read', { path: 'a.ts', offset: 1, limit: 20 }), thoughtSignature: 'c2lnMg==' },
    call('call_2|fc_2', 'edit', { path: 'a.ts', edits: [{ oldText: 'b', newText: 'c' }] }),
  ),
  result('call_1|fc_1', 'read', [text('let a;\n')]),
  result('call_2|fc_2', 'edit', [text('Could not find the exact text in a.ts.\nNothing was changed.')], true),
  said({ stopReason: 'aborted' }, text('It l')),
  said({}, text('It lacks a value.')),
  user([text('And the picture?'), { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }]),
  said({ stopReason: 'toolUse' }, call('call_3', 'read', { path: 'b.png' })),
  result('call_3', 'read', [text('Read image file'), { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }]),
  said({}, text('A cat.')),
  { type: 'message', message: { role: 'bashExecution', command: 'ls', output: 'a.ts b.png', exitCode: 0 } },
  { type: 'message', message: { role: 'bashExecution', command: 'env', output: 'SECRET=1', excludeFromContext: true } },
  { type: 'custom', customType: 'todo', data: { open: 1 } },
  { type: 'custom_message', customType: 'note', content: 'Tests run on save.', display: true },
];

const last = (entries: readonly Json[]): string => String(entries.at(-1)?.['id']);

const PLAIN = chain(1, null, ...TURNS);

const TRUNK = chain(1, null, user('Read a.ts.'), said({ stopReason: 'toolUse' }, call('c1', 'read', { path: 'a.ts' })));
const DEAD = chain(20, last(TRUNK), result('c1', 'read', [text('let a;\n')]), said({}, text('A way that was left.')));
const LIVE = chain(
  40,
  last(TRUNK),
  result('c1', 'read', [text('let a;\n')]),
  { type: 'branch_summary', fromId: last(DEAD), summary: 'Another way led nowhere.' },
  said({ stopReason: 'toolUse' }, text('I run it.'), call('c2', 'bash', { command: 'sleep 1000' })),
);

const FIRST = chain(
  1,
  null,
  user('Read a.ts.'),
  said({}, text('Read.')),
  user('And b.ts.'),
  said({}, text('Read too.')),
);
const COMPACTED = [
  ...FIRST,
  ...chain(
    10,
    last(FIRST),
    { type: 'compaction', summary: 'They read a.ts.', firstKeptEntryId: '00000003', tokensBefore: 9, fromHook: false },
    user('Go on.'),
    said({ stopReason: 'toolUse' }, text('I do.'), call('c1', 'grep', { pattern: 'a', path: 'src' })),
    result('c1', 'grep', [text('src/a.ts:1:a')]),
  ),
];

const LINEAR = [
  { ...HEADER, version: undefined, provider: 'anthropic', modelId: 'model-x' },
  user([text('Read a.ts.')]),
  said({}, text('Read.')),
  user([text('And b.ts.')]),
  said({}, text('Read too.')),
  { type: 'compaction', summary: 'They read a.ts.', firstKeptEntryIndex: 3, tokensBefore: 9 },
  user([text('Go on.')]),
].map((value) => ({ ...value, timestamp: at(1) }));

/** Invented sessions: one way, a way that was left, one that was compacted, and version 1. */
export const piSample: FormatSample = {
  shape: 'lines',
  texts: [
    lines(HEADER, ...PLAIN),
    lines(HEADER, ...TRUNK, ...DEAD, ...LIVE),
    lines(HEADER, ...COMPACTED),
    lines(...LINEAR),
  ],
  holds: ['thinking', 'error', 'media'],
};
