import { expect, test } from 'vitest';
import { formatNamed } from '../../src/formats/index.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { SAMPLES } from './samples.ts';

test('every format says which rebuilt contexts are cuts that the agent recorded, and no other', () => {
  const cuts = Object.entries(SAMPLES).flatMap(([name, { texts }]) => {
    const events = Object.values(texts).flatMap((text) => formatNamed(name).read(linesOfText(text)).events);
    const rebuilt = events.flatMap((event) => (event.kind === 'replace' ? [event.by] : []));
    return rebuilt.length === 0
      ? []
      : [[name, rebuilt.map((by) => (by ? Object.values(by).join(' ') : '-')).join(', ')]];
  });
  expect(Object.fromEntries(cuts)).toEqual({
    aider: '-, -',
    atif: 'compaction',
    'claude-code': 'compaction auto 9',
    'claude-code-stream': 'compaction manual 49468',
    cline: 'compaction, compaction',
    codex: 'compaction',
    'copilot-cli': 'compaction, -',
    'gemini-cli': '-, -',
    llxprt: '-, compaction',
    'openai-chat': '-',
    opencode: 'compaction auto',
    openhands: 'compaction, -',
    pi: '-, compaction 9, compaction 9',
    'qwen-code': 'compaction',
  });
});

/** Lines of Claude Code, each the child of the one before; a boundary has no parent. */
function claudeCodeLines(...lines: readonly Record<string, unknown>[]): string {
  const common = { sessionId: 's', version: '2.1.9', isSidechain: false, timestamp: '2026-11-20T08:00:00.000Z' };
  return lines
    .map((line, at) => {
      const isRoot = at === 0 || line['subtype'] === 'compact_boundary';
      return `${JSON.stringify({ parentUuid: isRoot ? null : `u${at - 1}`, uuid: `u${at}`, ...common, ...line })}\n`;
    })
    .join('');
}
const said = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const answered = (id: string, ...content: object[]) => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'claude-opus-4-5', content },
});
const boundary = (preTokens: number) => ({
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { trigger: 'manual', preTokens },
});
const cutsOf = (text: string) =>
  formatNamed('claude-code')
    .read(linesOfText(text))
    .events.flatMap((event, at) => (event.kind === 'replace' ? [{ at, by: event.by }] : []));

test('a recording of Claude Code can start with a compaction', () => {
  const summary = { ...said('Before: …'), isCompactSummary: true, isVisibleInTranscriptOnly: true };
  const text = claudeCodeLines(boundary(990_000), summary, answered('m1', { type: 'text', text: 'Go on.' }));
  expect(cutsOf(text)).toEqual([{ at: 0, by: { kind: 'compaction', trigger: 'manual', beforeTokens: 990_000 } }]);
});

test('a clearing of Claude Code counts results only, so its tokens are not those of the context', () => {
  const call = { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: '/repo/a.ts' } };
  const result = { type: 'tool_result', tool_use_id: 'c1', content: 'const a = 1;' };
  const text = claudeCodeLines(
    said('Read it.'),
    answered('m1', call),
    { type: 'user', message: { role: 'user', content: [result] } },
    answered('m2', { type: 'text', text: 'Read.' }),
    {
      type: 'system',
      subtype: 'microcompact_boundary',
      microcompactMetadata: { trigger: 'auto', preTokens: 58_573, tokensSaved: 20_801, compactedToolIds: ['c1'] },
    },
    answered('m3', { type: 'text', text: 'Done.' }),
  );
  expect(cutsOf(text)).toEqual([{ at: 4, by: { kind: 'clearing', trigger: 'auto' } }]);
});
