import { expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const MINUTE_MS = 60_000;
const options = { api: 'anthropic-messages', vocabulary: claudeCode } as const;
const call = (id: string, name: string, input: object, content: string, before: object[] = []): object[] => [
  { role: 'assistant', content: [...before, { type: 'tool_use', id, name, input }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
];
/** A stale read before the last thinking. */
const SIGNED = [
  { role: 'user', content: 'start' },
  ...call('t1', 'Read', { file_path: '/a.ts' }, 'one line of a file\n'.repeat(60)),
  ...call('t2', 'Read', { file_path: '/b.ts' }, 'one line of another file\n'.repeat(400)),
  ...call('t3', 'Write', { file_path: '/a.ts', content: 'new' }, 'File written'),
  ...call('t4', 'Bash', { command: 'ls' }, 'a b'),
  ...call('t5', 'Bash', { command: 'ls' }, 'a b', [{ type: 'thinking', thinking: 'so', signature: 's' }]),
];
const body = (messages: readonly object[]): object => ({
  model: 'claude-sonnet-4-5',
  tools: [{ name: 'Read' }],
  messages,
});

test.each([
  ['an error', { status: 400, error: 'messages.1.content.0: The block is bound to a different conversation.' }],
  ['dropped thinking', { status: 200, isBound: true }],
])('a model that is bound by %s changes nothing before thinking, also after a restart', async (_name, answer) => {
  const store = memoryStore();
  const now = { ms: 0 };
  const epochOf = async (isTold: boolean): Promise<number> => {
    const pruner = createPruner({ ...options, now: () => now.ms, ...(isTold && { store }) });
    const { report } = await pruner.prune({ body: body(SIGNED.slice(0, 5)), conversation: 'c' });
    if (isTold) await pruner.observe(report, answer);
    const next = isTold ? createPruner({ ...options, now: () => now.ms, store }) : pruner;
    await next.prune({ body: body(SIGNED.slice(0, -2)), conversation: 'c' });
    now.ms += 90 * MINUTE_MS;
    return (await next.prune({ body: body(SIGNED), conversation: 'c' })).report.changed.length;
  };
  expect(await epochOf(false)).toBe(1);
  expect(await epochOf(true)).toBe(0);
});
