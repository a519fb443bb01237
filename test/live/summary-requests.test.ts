import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const MINUTE_MS = 60_000;
const TEXT = Array.from({ length: 400 }, (_, at) => `${at + 1}\tline ${at + 1} of the file`).join('\n');
const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string, name: string, input: object): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, content: string): object => user([{ type: 'tool_result', tool_use_id: id, content }]);
const MESSAGES = [
  user('start'),
  call('t1', 'Read', { file_path: '/a.ts' }),
  result('t1', TEXT),
  call('t2', 'Write', { file_path: '/a.ts', content: 'new' }),
  result('t2', 'File written'),
  call('t3', 'Bash', { command: 'ls' }),
];
const LAST = { type: 'tool_result', tool_use_id: 't3', content: 'a b' };
const TURN = [...MESSAGES, user([LAST])];
/** As Claude Code writes it: its prompt stands after the results of the last message. */
const SUMMARY = [...MESSAGES, user([LAST, { type: 'text', text: 'Summarize this conversation.' }])];

type Request = { readonly model: string; readonly tools?: object[]; readonly messages: readonly object[] };
const TOOLS = [{ name: 'Read' }];
const body = (messages: readonly object[], tools?: object[]): Request => ({
  model: 'claude-sonnet-4-5',
  ...(tools && { tools }),
  messages,
});

/** A pruner, before which a conversation had an epoch; and the messages that were sent then. */
async function afterEpoch(store = memoryStore()) {
  const now = { ms: 0 };
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, now: () => now.ms });
  await pruner.prune({ body: body(TURN.slice(0, 3), TOOLS), conversation: 'c' });
  now.ms = 61 * MINUTE_MS;
  const { body: sent, report } = await pruner.prune({ body: body(TURN, TOOLS), conversation: 'c' });
  expect(report).toMatchObject({ isEpoch: true, projected: 1 });
  return { pruner, sent: sent.messages, now };
}

const MARKS: [string, Record<string, string>, object[] | undefined][] = [
  ['Claude Code', { 'x-claude-code-request-class': 'compaction' }, TOOLS],
  ['Claude Code, with other tools', { 'x-claude-code-request-class': 'compaction' }, [{ name: 'Other' }]],
  ['Codex', { 'x-codex-turn-metadata': '{"agent_name":"/root","request_kind":"compaction"}' }, TOOLS],
  ['an agent that sends no tools', {}, undefined],
];

describe.each(MARKS)('a request for a summary of %s', (_agent, headers, tools) => {
  test('has the texts that are frozen, also after a restart, and its own message as it came', async () => {
    const store = memoryStore();
    const { pruner, sent } = await afterEpoch(store);
    const restarted = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store });
    for (const one of [pruner, restarted]) {
      const summary = await one.prune({ body: body(SUMMARY, tools), headers, conversation: 'c' });
      expect(summary.body.messages).toEqual([...sent.slice(0, -1), SUMMARY.at(-1)]);
      expect(summary.report).toMatchObject({ projected: 1, changed: [], isEpoch: false });
      expect(summary.report.decision).toBeUndefined();
    }
  });

  test('decides nothing, and later requests are not compared with it', async () => {
    const { pruner, sent, now } = await afterEpoch();
    now.ms += 300 * MINUTE_MS;
    await pruner.prune({ body: body([...SUMMARY, call('t4', 'Read', {})], tools), headers, conversation: 'c' });
    const more = [...TURN, { role: 'assistant', content: 'ok' }, user('go on')];
    const next = await pruner.prune({ body: body(more, TOOLS), conversation: 'c' });
    expect(next.report.isBranch).toBeUndefined();
    expect(next.body.messages.slice(0, TURN.length)).toEqual(sent);
  });
});

test('a title of an unknown conversation comes back as the very same object', async () => {
  const { pruner } = await afterEpoch();
  const title = body([user('A title for this')]);
  const { body: same, report } = await pruner.prune({ body: title, conversation: 'c' });
  expect([same, report.untouched]).toEqual([title, 'side-request']);
});
