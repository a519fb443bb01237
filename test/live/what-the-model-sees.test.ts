import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../src/content/vocabularies/codex.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file with words enough for a note`).join(
  '\n',
);
const STUB = 'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.';
/** A note that says that lines are above. */
const ABOVE = /shown above/;

const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string, ...before: object[]): object => ({
  role: 'assistant',
  content: [...before, { type: 'tool_use', id, name: 'Read', input: { file_path: '/b.ts' } }],
});
const result = (id: string, content = TEXT): object => user([{ type: 'tool_result', tool_use_id: id, content }]);
const summary = (content: unknown): object => ({ type: 'compaction', content });

const item = (id: string): object[] => [
  { type: 'function_call', call_id: id, name: 'shell', arguments: '{"command":["cat","b.ts"]}' },
  { type: 'function_call_output', call_id: id, output: TEXT },
];
const COMPACTED = { type: 'compaction', id: 'cmp', encrypted_content: 'sealed' };

const APIS = {
  'anthropic-messages': { vocabulary: claudeCode, listKey: 'messages', model: 'claude-opus-4-6' },
  'openai-responses': { vocabulary: codex, listKey: 'input', model: 'gpt-5.4' },
} as const;

/** Sends each list in turn as one conversation; returns what was sent, and the reports. */
async function sent(
  lists: readonly (readonly object[])[],
  {
    api = 'anthropic-messages' as keyof typeof APIS,
    store = memoryStore(),
    clock = [] as readonly number[],
    fields = [] as readonly object[],
  } = {},
) {
  const { vocabulary, listKey, model } = APIS[api];
  let ms = 0;
  const archive = async (): Promise<void> => {};
  const pruner = createPruner({ api, vocabulary, workspaceRoot: '/', store, archive, now: () => ms });
  const found = [];
  for (const [at, list] of lists.entries()) {
    ms += (clock[at] ?? 0) * 60_000;
    const body = { model, tools: [{ name: 'Read' }], [listKey]: list, ...fields[at] };
    const pruned = await pruner.prune({ body, conversation: 'c' });
    found.push({ list: pruned.body[listKey] as readonly object[], report: pruned.report });
  }
  return found;
}

/** All beginnings of a list that end with a message of a user. */
const turnsOf = (list: readonly object[]): (readonly object[])[] =>
  list.flatMap((one, at) => ((one as { role: string }).role === 'user' ? [list.slice(0, at + 1)] : []));

const START = [user('Fix it.'), call('t1'), result('t1')];

describe('after a summary that the provider made', () => {
  test('a result is not said to be shown above, where the API dropped that', async () => {
    const list = [...START, call('t2', summary('b.ts was read.')), result('t2')];
    const last = (await sent(turnsOf(list))).at(-1)!;
    expect(last.list.at(-1)).toEqual(list.at(-1));
  });

  test('what is after it is shown above', async () => {
    const list = [...START, call('t2', summary('b.ts was read.')), result('t2'), call('t3'), result('t3')];
    const last = (await sent(turnsOf(list))).at(-1)!;
    expect(last.list.slice(0, -1)).toEqual(list.slice(0, -1));
    expect(JSON.stringify(last.list.at(-1))).toMatch(ABOVE);
  });

  test.each([null, undefined, ''])('everything is still seen if its content is %j: it failed', async (content) => {
    const list = [...START, call('t2', summary(content)), result('t2')];
    expect(JSON.stringify((await sent(turnsOf(list))).at(-1)!.list.at(-1))).toMatch(ABOVE);
  });

  test('items of the Responses API before it are not shown above', async () => {
    const list = [{ role: 'user', content: 'Fix it.' }, ...item('t1'), COMPACTED, ...item('t2')];
    const last = (await sent([list.slice(0, 3), list], { api: 'openai-responses' })).at(-1)!;
    expect(last.list).toEqual(list);
    const without = list.filter((one) => one !== COMPACTED);
    const whole = (await sent([list.slice(0, 3), without], { api: 'openai-responses' })).at(-1)!;
    expect(JSON.stringify(whole.list.at(-1))).toMatch(ABOVE);
  });

  test('the agent says that a read before it is still current: its text is sent again', async () => {
    const list = [...START, call('t2', summary('b.ts was read.')), result('t2', STUB)];
    expect((await sent(turnsOf(list))).at(-1)!.list.at(-1)).toEqual(result('t2'));
  });

  test('a note is taken back where the agent puts its turn behind the summary, and its target stays before', async () => {
    const turn = [call('t2'), result('t2')];
    const store = memoryStore();
    const before = await sent(turnsOf([...START, ...turn]), { store });
    expect(JSON.stringify(before.at(-1)!.list.at(-1))).toMatch(ABOVE);
    const list = [...START, { role: 'assistant', content: [summary('b.ts was read.')] }, ...turn];
    expect((await sent([list], { store })).at(-1)!.list).toEqual(list);
  });

  test('what it replaced is sent byte for byte as before, costs nothing, and is never changed', async () => {
    const write = { type: 'tool_use', id: 'w', name: 'Write', input: { file_path: '/b.ts', content: 'x' } };
    const list = [...START, { role: 'assistant', content: [summary('b.ts was read.'), write] }, result('w', 'ok')];
    const [, before, after, cold] = await sent([...turnsOf(list), [...list, call('t2'), result('t2', 'x')]], {
      clock: [0, 0, 0, 90],
    });
    expect(after!.list).toEqual(list);
    expect(cold!.list.slice(0, list.length)).toEqual(list);
    expect(cold!.report).toMatchObject({ isEpoch: false, changed: [] });
    expect(after!.report.sentTokens).toBeLessThan(before!.report.sentTokens! / 4);
  });
});

describe('where a request lets its provider clear results', () => {
  const clearing = (type: string): object => ({ context_management: { edits: [{ type }] } });
  const LIST = [...START, call('t2'), result('t2')];

  test('no result is said to be shown above: it may have been cleared', async () => {
    const fields = Array(3).fill(clearing('clear_tool_uses_20250919'));
    expect((await sent(turnsOf(LIST), { fields })).at(-1)!.list.at(-1)).toEqual(LIST.at(-1));
  });

  test('references of earlier requests are taken back', async () => {
    const list = [...LIST, call('t3'), result('t3', 'one line')];
    const all = await sent(turnsOf(list), { fields: [{}, {}, {}, clearing('clear_tool_uses_20250919')] });
    expect(JSON.stringify(all.at(-2)!.list.at(-1))).toMatch(ABOVE);
    expect(all.at(-1)!.list.slice(3)).toEqual(list.slice(3));
  });

  test.each([false, true])('so are they where the same messages are sent again (shared: %s)', async (isShared) => {
    const fields = [{}, {}, {}, clearing('clear_tool_uses_20250919')];
    const all = await sent([...turnsOf(LIST), LIST], { store: { ...memoryStore(), isShared }, fields });
    expect(JSON.stringify(all.at(-2)!.list.at(-1))).toMatch(ABOVE);
    expect(all.at(-1)!.list.slice(3)).toEqual(LIST.slice(3));
  });

  test('thinking that is cleared shows no results', async () => {
    const fields = Array(3).fill(clearing('clear_thinking_20251015'));
    expect(JSON.stringify((await sent(turnsOf(LIST), { fields })).at(-1)!.list.at(-1))).toMatch(ABOVE);
  });
});

describe('a result that the agent cleared', () => {
  const LIST = [...START, call('t2'), result('t2'), call('t3'), result('t3', 'one line')];

  test.each(['[Old tool result content cleared]', '[cleared to save context]', ''])(
    'shows nothing (%j)',
    async (words) => {
      const cleared = LIST.map((one, at) => (at === 2 ? result('t1', words) : one));
      const all = await sent([...turnsOf(LIST), cleared]);
      expect(JSON.stringify(all.at(-2)!.list)).toMatch(ABOVE);
      expect(all.at(-1)!.list).toEqual(cleared);
    },
  );
});

describe('a text of another branch', () => {
  test('is not shown above', async () => {
    const list = [START[0]!, call('t2'), result('t2')];
    expect((await sent([...turnsOf([...START, call('t2'), result('t2')]), list])).at(-1)!.list).toEqual(list);
  });
});
