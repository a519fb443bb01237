import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { apiOfPath } from '../../src/formats/api-path.ts';
import type { LiveRequest, Pruner, PrunerStore } from '../../src/live/contract.ts';
import { liveChanges } from '../../src/live/exchange/live-changes.ts';
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
const TOOLS = [{ name: 'Read' }, { name: 'Bash' }];
const body = (messages: readonly object[], tools?: object[]): Request => ({
  model: 'claude-sonnet-4-5',
  ...(tools && { tools }),
  messages,
});

const archive = async (): Promise<void> => {};
const COMPACTION = { 'x-claude-code-request-class': 'compaction' };

/** A pruner, before which a conversation had an epoch; and the messages that were sent then. */
async function afterEpoch(store: PrunerStore = memoryStore()) {
  const now = { ms: 0 };
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, archive, now: () => now.ms });
  await pruner.prune({ body: body(TURN.slice(0, 3), TOOLS), conversation: 'c' });
  now.ms = 61 * MINUTE_MS;
  const { body: sent, report } = await pruner.prune({ body: body(TURN, TOOLS), conversation: 'c' });
  expect(report).toMatchObject({ isEpoch: true, projected: 1 });
  return { pruner, sent: sent.messages, now };
}

const MARKS: [string, Omit<LiveRequest, 'body'>, object[] | undefined][] = [
  ['Claude Code', { headers: COMPACTION }, TOOLS],
  ['Claude Code, with other tools', { headers: COMPACTION }, [{ name: 'Other' }]],
  ['Codex', { headers: { 'x-codex-turn-metadata': '{"agent_name":"/root","request_kind":"compaction"}' } }, TOOLS],
  ['Codex, by its path', { isSummary: true }, TOOLS],
  ['an agent that sends no tools', {}, undefined],
];

describe.each(MARKS)('a request for a summary of %s', (_agent, mark, tools) => {
  test('has the texts that are frozen, also after a restart, and its own message as it came', async () => {
    const store = memoryStore();
    const { pruner, sent } = await afterEpoch(store);
    const restarted = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store });
    for (const one of [pruner, restarted]) {
      const summary = await one.prune({ body: body(SUMMARY, tools), ...mark, conversation: 'c' });
      expect(summary.body.messages).toEqual([...sent.slice(0, -1), SUMMARY.at(-1)]);
      expect(summary.report).toMatchObject({ projected: 1, changed: [], isEpoch: false });
      expect(summary.report.decision).toBeUndefined();
    }
  });

  test('decides nothing, and later requests are not compared with it', async () => {
    const { pruner, sent, now } = await afterEpoch();
    now.ms += 300 * MINUTE_MS;
    await pruner.prune({ body: body([...SUMMARY, call('t4', 'Read', {})], tools), ...mark, conversation: 'c' });
    const more = [...TURN, { role: 'assistant', content: 'ok' }, user('go on')];
    const next = await pruner.prune({ body: body(more, TOOLS), conversation: 'c' });
    expect(next.report.isBranch).toBeUndefined();
    expect(next.body.messages.slice(0, TURN.length)).toEqual(sent);
  });
});

test('the path of an older Codex says so to the pruner', async () => {
  const asked = apiOfPath('/backend-api/codex/responses/compact')!;
  expect(asked).toEqual({ api: 'openai-responses', isCount: false, isSummary: true });
  const items = [{ type: 'message', role: 'user', content: 'start' }];
  const given = Buffer.from(JSON.stringify({ model: 'gpt-5.5', tools: TOOLS, input: items }));
  const { report } = await liveChanges({})({ ...asked, upstream: 'https://a.example', headers: {}, body: given });
  expect(report).toMatchObject({ untouched: 'side-request' });
});

test('a title of an unknown conversation comes back as the very same object', async () => {
  const { pruner } = await afterEpoch();
  const title = body([user('A title for this')]);
  const { body: same, report } = await pruner.prune({ body: title, conversation: 'c' });
  expect([same, report.untouched]).toEqual([title, 'side-request']);
});

describe('the text in which an agent goes on from a summary', () => {
  const OPENING = 'This session is being continued from a previous conversation that ran out of context.\n\nSummary:\n';
  const FOREIGN = '[density: Read /b.ts, removed: the file was changed after it; full text: density show 000000000000]';
  const answer = { role: 'assistant', content: 'ok' };
  const resultIn = (message: object | undefined): string =>
    (message as { content: { content: string }[] }).content[0]!.content;
  const restarted = (store: PrunerStore): Pruner =>
    createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, archive });
  const sentFor = async (pruner: Pruner, messages: readonly object[], headers = {}): Promise<readonly object[]> => {
    const given = Buffer.from(JSON.stringify(body(messages, TOOLS)));
    const pruned = await pruner.prune({ body: given, headers, conversation: 'c' });
    await pruner.observe(pruned.report, { status: 200 });
    return (JSON.parse(Buffer.from(pruned.body).toString()) as Request).messages;
  };
  /** After an epoch, and a request for a summary; the marker that the model saw. */
  async function afterSummary(store: PrunerStore = memoryStore()) {
    const { pruner, sent } = await afterEpoch(store);
    await sentFor(pruner, SUMMARY, COMPACTION);
    const marker = resultIn(sent[2]);
    expect(marker).toMatch(/^\[density: Read \/a\.ts, removed; full text: density show [0-9a-f]{12}\]$/);
    return { store, pruner, marker };
  }

  test.each([
    ['never', false],
    ['before', false],
    ['after', false],
    ['before', true],
    ['after', true],
  ])('has names for our markers in all requests; restart: %s; store is shared: %s', async (restart, isShared) => {
    const { store, pruner, marker } = await afterSummary({ ...memoryStore(), isShared });
    const quoted = (what: string): string => `${OPENING}- \`${what}\`, and ${what}; ${FOREIGN}`;
    const first = restart === 'before' ? restarted(store) : pruner;
    const then = restart === 'after' ? restarted(store) : first;
    const words = `What does ${marker} mean?`;
    const next = [
      user([
        { type: 'text', text: quoted(marker) },
        { type: 'text', text: words },
      ]),
    ];
    const named = [
      user([
        { type: 'text', text: quoted('Read /a.ts') },
        { type: 'text', text: words },
      ]),
    ];
    expect(await sentFor(first, next)).toEqual(named);
    const more = [answer, user(quoted(marker))];
    expect(await sentFor(then, [...next, ...more])).toEqual([...named, ...more]);
    expect(await sentFor(then, [...next, ...more, answer, user('go on')], COMPACTION)).toEqual([
      ...named,
      ...more,
      answer,
      user('go on'),
    ]);
  });

  test('has the name for a marker that the model told in other words, or an earlier version wrote', async () => {
    const { pruner, marker } = await afterSummary();
    const reworded = marker.replace(', removed;', ', removed: stale;');
    expect(reworded).not.toBe(marker);
    expect(await sentFor(pruner, [user(`${OPENING}${FOREIGN} ${reworded}`)])).toEqual([
      user(`${OPENING}${FOREIGN} Read /a.ts`),
    ]);
  });

  test('is the same with and without a cache mark', async () => {
    const { pruner, marker } = await afterSummary();
    const marked = (text: string): object => user([{ type: 'text', text, cache_control: { type: 'ephemeral' } }]);
    const quoted = `${OPENING}${marker}`;
    const named = `${OPENING}Read /a.ts`;
    expect(await sentFor(pruner, [marked(quoted)])).toEqual([marked(named)]);
    expect(await sentFor(pruner, [user(quoted), answer, marked('go on')])).toEqual([
      user(named),
      answer,
      marked('go on'),
    ]);
  });

  test('has names where the agent keeps its last messages after it, if their answers were known before', async () => {
    const { store, pruner, marker } = await afterSummary();
    const kept = [user(`${OPENING}${marker}`), ...TURN.slice(3)];
    expect((await sentFor(pruner, kept))[0]).toEqual(user(`${OPENING}Read /a.ts`));
    const { pruner: other } = await afterSummary();
    const answered = [...kept, answer, user('go on')];
    expect(await sentFor(other, answered)).toEqual(answered);
    expect((await sentFor(restarted(store), answered))[0]).toEqual(user(`${OPENING}Read /a.ts`));
  });

  test.each([
    ['a person who goes on', (text: string) => [...TURN, answer, user(text)]],
    ['a person, about it', (text: string) => [user(text.replace(OPENING, 'Look: '))]],
    ['a file', (text: string) => [user('hi'), call('t9', 'Read', { file_path: '/notes' }), result('t9', text)]],
  ])('is not found in the words of %s', async (_who, listOf) => {
    const { pruner, marker } = await afterSummary();
    const list = listOf(`${OPENING}${marker}`);
    expect((await sentFor(pruner, list)).at(-1)).toEqual(list.at(-1));
  });

  test('comes back as it was where it was refused, and stays so', async () => {
    const { pruner, marker } = await afterSummary();
    const next = [user(`${OPENING}${marker}`)];
    const { report, withoutNew } = await pruner.prune({ body: body(next, TOOLS), conversation: 'c' });
    await pruner.observe(report, { status: 400 });
    const again = withoutNew!();
    expect(again.body.messages).toEqual(next);
    await pruner.observe(again.report, { status: 200 });
    expect(await sentFor(pruner, [...next, answer, user('go on')])).toEqual([...next, answer, user('go on')]);
  });

  test('has names for markers of repeated results', async () => {
    const pruner = restarted(memoryStore());
    const list = [...TURN.slice(0, 3), call('t5', 'Read', { file_path: '/a.ts' }), result('t5', TEXT)];
    await sentFor(pruner, list.slice(0, 3));
    const marker = resultIn((await sentFor(pruner, list)).at(-1));
    expect(marker).toMatch(/^⟦density: 400 lines, .* by Read \/a\.ts, from .*⟧$/);
    expect(await sentFor(pruner, [user(`${OPENING}${marker}.`)])).toEqual([user(`${OPENING}Read /a.ts.`)]);
  });
});

test('a request for a summary on demand is beside the conversation', async () => {
  const { pruner, sent } = await afterEpoch();
  const given = { ...body(TURN.slice(0, -1), TOOLS), compaction: { type: 'summarize' } };
  const { body: made, report } = await pruner.prune({ body: given, conversation: 'c' });
  expect(made.messages).toEqual(sent.slice(0, -1));
  expect(report.changed).toEqual([]);
  const next = await pruner.prune({ body: body(TURN, TOOLS), conversation: 'c' });
  expect(next.report.isBranch).not.toBe(true);
});
