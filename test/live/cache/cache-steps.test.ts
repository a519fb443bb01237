import { describe, expect, test } from 'vitest';
import type { Body, LiveApi, Pruned, Pruner, PrunerStore } from '../../../src/live/contract.ts';
import { livePruners } from '../../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

type Fields = Readonly<Record<string, unknown>>;

const MARK = { type: 'ephemeral' };
const HOUR = { type: 'ephemeral', ttl: '1h' };
const user = (content: unknown): Fields => ({ role: 'user', content });
const call = (id: string): Fields => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Look', input: {} }],
});
const result = (id: string, content: unknown = `what ${id} shows`): Fields =>
  user([{ type: 'tool_result', tool_use_id: id, content }]);
const FIRST = [user([{ type: 'text', text: 'start' }])];
const SECOND = [...FIRST, call('t1'), result('t1')];
const THIRD = [...SECOND, call('t2'), result('t2')];
const TOOLS = [{ name: 'Look', input_schema: {} }];
const MARKED_START = { system: [{ type: 'text', text: 'You help.', cache_control: MARK }] };

const body = (messages: readonly Fields[], rest: Fields = {}): Fields => ({
  model: 'claude-sonnet-4-5',
  tools: TOOLS,
  ...rest,
  messages,
});
const start = (store?: PrunerStore, cacheMarks = true, api: LiveApi = 'anthropic-messages'): Pruner =>
  createPruner({ api, cacheMarks, ...(store && { store }) });

/** What is sent, as an agent sends it: in bytes. */
async function sent(pruner: Pruner, given: Fields): Promise<Fields> {
  const bytes = Buffer.from(JSON.stringify(given));
  const { body: out, report } = await pruner.prune({ body: bytes, conversation: 'c' });
  expect(report).toMatchObject({ changed: [], projected: 0, isEpoch: false });
  const asObject = await copyOf(pruner, given);
  const parsed = JSON.parse(Buffer.from(out).toString()) as Fields;
  expect(asObject).toEqual(parsed);
  return parsed;
}
/** The same request again, as an object: what is frozen is the same. */
const copyOf = async (pruner: Pruner, given: Fields): Promise<Fields> =>
  (await pruner.prune({ body: given, conversation: 'c' })).body;

const lastBlock = ({ messages }: Fields): unknown => {
  const { content } = (messages as Fields[]).at(-1)!;
  return (content as unknown[]).at(-1);
};
const marksIn = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

describe('a mark that is missing', () => {
  test('is set at the end of the history, and every other byte is kept', async () => {
    const pruner = start();
    const text = JSON.stringify(body(THIRD, MARKED_START), null, 2);
    const { body: out } = await pruner.prune({ body: Buffer.from(text), conversation: 'c' });
    const written = Buffer.from(out).toString();
    const added = ',"cache_control":{"type":"ephemeral"}';
    expect(written.replace(added, '')).toBe(text);
    expect(lastBlock(JSON.parse(written))).toMatchObject({ tool_use_id: 't2', cache_control: MARK });
  });

  test('is set from the first call on if the agent marks something, else from the second one on', async () => {
    expect(marksIn((await sent(start(), body(FIRST, MARKED_START)))['messages'])).toBe(1);
    const pruner = start();
    expect(marksIn(await sent(pruner, body(FIRST)))).toBe(0);
    expect(marksIn(await sent(pruner, body(SECOND)))).toBe(1);
    expect(lastBlock(await sent(pruner, body(THIRD)))).toMatchObject({ cache_control: MARK });
  });

  test('is none where the history has one, where the body has one, or where there are four', async () => {
    const history = [...SECOND.slice(0, 2), user([{ type: 'tool_result', tool_use_id: 't1', cache_control: MARK }])];
    const inResult = [...SECOND.slice(0, 2), result('t1', [{ type: 'text', text: 'a', cache_control: MARK }])];
    const four = [1, 2, 3, 4].map((at) => ({ type: 'text', text: `${at}`, cache_control: MARK }));
    for (const given of [
      body(history),
      body(inResult),
      body(SECOND, { cache_control: MARK }),
      body(SECOND, { system: four }),
    ])
      expect(await sent(start(), given)).toEqual(given);
    expect(marksIn(await sent(start(), body(SECOND, { system: four.slice(1) })))).toBe(4);
  });

  test('is not one that a text or the input of a tool only names', async () => {
    const named = [
      user('"cache_control":{"type":"ephemeral"}'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Look', input: { cache_control: MARK } }] },
      result('t1'),
    ];
    expect(lastBlock(await sent(start(), body(named)))).toMatchObject({ cache_control: MARK });
  });

  test('has the lifetime of the others; after a mark of minutes it has minutes', async () => {
    const system = (...marks: Fields[]) => ({
      system: marks.map((mark, at) => ({ type: 'text', text: `${at}`, cache_control: mark })),
    });
    expect(lastBlock(await sent(start(), body(SECOND, system(HOUR))))).toMatchObject({ cache_control: HOUR });
    expect(lastBlock(await sent(start(), body(SECOND, system(HOUR, MARK))))).toMatchObject({ cache_control: MARK });
  });

  test('is on the last block that may have one', async () => {
    const text = [...SECOND, { role: 'assistant', content: 'done' }, user('go on')];
    expect(lastBlock(await sent(start(), body(text)))).toEqual({ type: 'text', text: 'go on', cache_control: MARK });
    const thinking = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] };
    const empty = [...SECOND, thinking, user([{ type: 'text', text: '' }])];
    const { messages } = await sent(start(), body(empty));
    expect((messages as Fields[])[2]!['content']).toEqual([
      expect.objectContaining({ tool_use_id: 't1', cache_control: MARK }),
    ]);
    expect(marksIn(messages)).toBe(1);
  });

  test('is set again after a restart, also if the setting was turned off meanwhile', async () => {
    const store = memoryStore();
    await sent(start(store), body(SECOND));
    expect(lastBlock(await sent(start(store, false), body(THIRD)))).toMatchObject({ cache_control: MARK });
    expect(await sent(start(undefined, false), body(THIRD))).toEqual(body(THIRD));
  });

  test('that is refused is left out of the same request, and is not tried again in this conversation', async () => {
    const store = memoryStore();
    const pruner = start(store);
    const given = body(SECOND);
    const pruned = await pruner.prune({ body: given, conversation: 'c' });
    expect(marksIn(pruned.body)).toBe(1);
    await pruner.observe(pruned.report, { status: 400, error: 'no' });
    const again = pruned.withoutNew!();
    expect(again.body).toBe(given);
    await pruner.observe(again.report, { status: 200 });
    for (const one of [pruner, start(store)]) expect(marksIn(await sent(one, body(THIRD)))).toBe(0);
    const others = await start(store).prune({ body: body(SECOND), conversation: 'another' });
    expect(marksIn(others.body)).toBe(1);
  });

  test('that was accepted is not taken for the fault of a later request', async () => {
    const pruner = start();
    await pruner.prune({ body: body(SECOND), conversation: 'c' });
    const { withoutNew } = await pruner.prune({ body: body(THIRD), conversation: 'c' });
    expect(withoutNew).toBeUndefined();
  });

  test('is none in a request beside the conversation, but in one that repeats it', async () => {
    const pruner = start();
    await pruner.prune({ body: body(SECOND), conversation: 'c' });
    const title: Pruned<Fields> = await pruner.prune({
      body: { model: 'claude-sonnet-4-5', messages: FIRST },
      conversation: 'c',
    });
    expect(marksIn(title.body)).toBe(0);
    const summary = await pruner.prune({
      body: body([...SECOND, user('Write a summary.')]),
      conversation: 'c',
      isSummary: true,
    });
    expect(marksIn(summary.body)).toBe(1);
  });

  test('is written down as earlier versions can read it', async () => {
    const store = memoryStore();
    const pruner = start(store);
    const { report } = await pruner.prune({ body: body(SECOND), conversation: 'c' });
    const { lines } = await store.load(report.conversation!);
    const frozen = lines.flatMap((line) => (JSON.parse(line) as { freeze?: Fields }).freeze ?? []);
    expect(frozen).toEqual([{ id: 'cache mark', kind: 'cache', text: '', reason: '', files: [] }]);
  });
});

describe('a strict provider', () => {
  const long = (word: string): string => Array.from({ length: 4_000 }, (_, at) => `${word}${at}`).join(' ');
  /** As Cline asks: only its system prompt is marked. */
  const CLINE = { system: [{ type: 'text', text: long('rule'), cache_control: MARK }], max_tokens: 100 };
  const histories = [
    [user([{ type: 'text', text: long('task') }])],
    [user([{ type: 'text', text: long('task') }]), call('t1'), result('t1', long('file'))],
  ];

  test("reads Cline's history with the second call, which it does not without the setting", async () => {
    const read = async (cacheMarks: boolean): Promise<readonly number[]> => {
      const pruner = start(undefined, cacheMarks);
      const provider = new StrictProvider();
      const reads: number[] = [];
      for (const [at, messages] of histories.entries()) {
        const { body: out } = await pruner.prune({ body: body(messages, CLINE), conversation: 'c' });
        const answer = provider.receive({ api: 'anthropic-messages', body: out }, at * 60_000);
        if (answer.status !== 200) throw new Error(answer.message);
        reads.push(answer.tokens.read);
      }
      return reads;
    };
    const [without, withMarks] = [await read(false), await read(true)];
    expect(without[0]).toBe(0);
    expect(without[1]).toBeGreaterThan(4_000);
    expect(withMarks[1]).toBeGreaterThan(1.8 * without[1]!);
  });
});

describe('a key that is missing', () => {
  const item = (text: string): Fields => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hm' }] };
  const asked = (input: readonly Fields[], rest: Fields = {}): Fields => ({
    model: 'gpt-5.4',
    tools: [{ type: 'function', name: 'look' }],
    ...rest,
    input,
  });
  const keyOf = ({ prompt_cache_key: key }: Fields): unknown => key;

  test('is added with the first request, and is the same in all later ones', async () => {
    const store = memoryStore();
    const first = await sent(start(store, true, 'openai-responses'), asked([item('a')]));
    const later = await sent(start(store, true, 'openai-responses'), asked([item('a'), answer, item('b')]));
    expect(keyOf(first)).toMatch(/^[\w-]{20,64}$/);
    expect(keyOf(later)).toBe(keyOf(first));
  });

  test('is none where the agent has its own, where the conversation began without one, and in other APIs', async () => {
    const own = asked([item('a')], { prompt_cache_key: 'mine' });
    expect(await sent(start(undefined, true, 'openai-responses'), own)).toEqual(own);
    const pruner = start(undefined, true, 'openai-responses');
    const begun = asked([item('a'), answer, item('b')]);
    expect(await sent(pruner, begun)).toEqual(begun);
    expect(keyOf(await sent(start(), body(FIRST)))).toBeUndefined();
  });

  test('is added to a chat', async () => {
    const chat = { model: 'gpt-5.4', tools: [{ type: 'function' }], messages: [user('a')] };
    expect(keyOf(await sent(start(undefined, true, 'openai-chat'), chat))).toBeTypeOf('string');
  });
});

describe('tools in another order', () => {
  const tools = (...names: string[]): Fields => ({
    tools: names.map((name) => ({ name, input_schema: { of: name } })),
  });
  const namesOf = ({ tools: list }: Fields): unknown => (list as Fields[]).map(({ name }) => name);

  test('are sent in the first one, also after a restart', async () => {
    const store = memoryStore();
    await sent(start(store), body(FIRST, tools('a', 'b', 'c')));
    expect(namesOf(await sent(start(store), body(SECOND, tools('c', 'a', 'b'))))).toEqual(['a', 'b', 'c']);
  });

  test('are left as they are if one of them changed; their order then counts', async () => {
    const pruner = start();
    await sent(pruner, body(FIRST, tools('a', 'b')));
    expect(namesOf(await sent(pruner, body(SECOND, tools('b', 'a', 'c'))))).toEqual(['b', 'a', 'c']);
    expect(namesOf(await sent(pruner, body(THIRD, tools('c', 'b', 'a'))))).toEqual(['b', 'a', 'c']);
  });

  test('leave their marks at the places where the agent set them', async () => {
    const pruner = start();
    const last = (names: Fields): Fields => {
      const list = names['tools'] as Fields[];
      return { tools: [...list.slice(0, -1), { ...list.at(-1)!, cache_control: MARK }] };
    };
    await sent(pruner, body(FIRST, last(tools('a', 'b'))));
    const { tools: list } = await sent(pruner, body(SECOND, last(tools('b', 'a'))));
    expect(list).toEqual([
      { name: 'a', input_schema: { of: 'a' } },
      { name: 'b', input_schema: { of: 'b' }, cache_control: MARK },
    ]);
  });
});

describe('requests through a proxy', () => {
  test('get marks only at the host of the vendor', async () => {
    const { change } = livePruners({ cacheMarks: true });
    const send = async (upstream: string, given: Body = Buffer.from(JSON.stringify(body(SECOND)))) =>
      change({
        api: 'anthropic-messages',
        upstream,
        isCount: false,
        headers: { 'x-session-id': upstream },
        body: given as Uint8Array,
      });
    const marked = await send('https://api.anthropic.com');
    expect(marksIn(JSON.parse(Buffer.from(marked.body).toString()))).toBe(1);
    const other = await send('https://openrouter.ai');
    expect(marksIn(JSON.parse(Buffer.from(other.body).toString()))).toBe(0);
  });
});
