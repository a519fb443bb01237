import type { FormatSample } from '../contracts/format.ts';

type Json = Readonly<Record<string, unknown>>;

/** Records of one session; each names the one before, or the one at `after`. */
export const recording = (...records: readonly (Json & { readonly after?: number })[]): string =>
  records
    .map(({ after, ...record }, at) => {
      const parent = after ?? at - 1;
      const facts = { sessionId: 's-1', timestamp: new Date(Date.UTC(2026, 8, 1, 9, 0, at)).toISOString() };
      const around = { uuid: `u${at}`, parentUuid: parent < 0 ? null : `u${parent}`, ...facts };
      return `${JSON.stringify({ ...around, cwd: '/repo/demo', version: '0.24.4', ...record })}\n`;
    })
    .join('');

export const user = (text: string): Json => ({ type: 'user', message: { role: 'user', parts: [{ text }] } });
export const answer = (...parts: readonly Json[]): Json => ({
  type: 'assistant',
  model: 'qwen3-coder-plus',
  message: { role: 'model', parts },
  usageMetadata: {
    promptTokenCount: 900,
    candidatesTokenCount: 20,
    totalTokenCount: 920,
    cachedContentTokenCount: 800,
  },
});
export const result = (id: string, name: string, output: string): Json => ({
  type: 'tool_result',
  message: { role: 'user', parts: [{ functionResponse: { id, name, response: { output } } }] },
  toolCallResult: { callId: id, status: 'success', resultDisplay: '' },
});
const call = (id: string, name: string, args: Json): Json => ({ functionCall: { id, name, args } });
const file_path = '/repo/demo/a.ts';

export const compression = (...texts: readonly string[]): Json => ({
  type: 'system',
  subtype: 'chat_compression',
  systemPayload: { compressedHistory: texts.map((text) => ({ role: 'user', parts: [{ text }] })) },
});

const PLAIN = recording(
  user('Why is `a` undefined? ✗'),
  { type: 'system', subtype: 'attribution_snapshot', systemPayload: {} },
  answer({ text: 'I look.', thought: true }, call('c1', 'read_file', { file_path })),
  result('c1', 'read_file', 'let a;\n'),
  answer(call('c2', 'edit', { file_path, old_string: 'a;', new_string: 'a = 1;' })),
  result('c2', 'edit', 'Edited.'),
  answer({ text: 'It lacks a value.' }),
);
const CHANGED = recording(
  user('Read a.ts.'),
  answer({ text: 'Read.' }),
  user('Not that.'),
  { ...user('And b.ts.'), after: 1 },
  compression('They read.'),
  answer({ text: 'Read too.' }),
);

/** Invented sessions: one way, and one with a branch that was left and a compaction. */
export const qwenCodeSample: FormatSample = { shape: 'lines', texts: [PLAIN, CHANGED], holds: [] };
