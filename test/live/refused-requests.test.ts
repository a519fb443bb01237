import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner, PrunerStore } from '../../src/live/contract.ts';
import { FrozenDecisions } from '../../src/live/conversation/frozen.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const TEXT = Array.from({ length: 160 }, (_, at) => `${at + 1}\tline ${at + 1} of the file`).join('\n');
const OTHER = TEXT.replaceAll('line', 'row');
const user = (content: unknown): object => ({ role: 'user', content });
/** With another limit each: what the same call asks for again is sent whole. */
const read = (id: string, file: string, content: string, limit = 500): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: file, limit } }] },
  user([{ type: 'tool_result', tool_use_id: id, content }]),
];
const START = [user('start'), ...read('t1', '/a.ts', TEXT), ...read('o1', '/b.ts', OTHER)];
const FIRST = read('t2', '/a.ts', TEXT);
const SECOND = read('o2', '/b.ts', OTHER);
const THIRD = read('t3', '/a.ts', TEXT, 400);
const body = (messages: readonly object[]): { messages: readonly object[] } =>
  ({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages }) as { messages: readonly object[] };
const start = (store?: PrunerStore): Pruner =>
  createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, ...(store && { store }) });
const isWhole = (messages: readonly object[]): boolean[] =>
  messages.slice(START.length).flatMap((message) => {
    const { content } = message as { content: { type: string; content: string }[] };
    return content.flatMap((block) => (block.type === 'tool_result' ? !block.content.startsWith('⟦density:') : []));
  });

/** Sends a request, and once more after a refusal; says what was sent, and which results were whole. */
async function send(
  pruner: Pruner,
  messages: readonly object[],
  isAccepted: (whole: readonly boolean[]) => boolean,
): Promise<readonly boolean[][]> {
  const pruned = await pruner.prune({ body: body(messages), conversation: 'c' });
  const sent = [isWhole(pruned.body.messages)];
  if (isAccepted(sent[0]!)) {
    await pruner.observe(pruned.report, { status: 200 });
    return sent;
  }
  await pruner.observe(pruned.report, { status: 400, error: 'no' });
  const again = pruned.withoutNew?.();
  if (again === undefined) return sent;
  sent.push(isWhole(again.body.messages));
  await pruner.observe(again.report, { status: isAccepted(sent[1]!) ? 200 : 400 });
  return sent;
}

const always = (): boolean => true;
const never = (): boolean => false;

describe('a refused request', () => {
  test('is sent again with its new results whole and the earlier ones as they were accepted; only the new ones are taken back', async () => {
    const store = memoryStore();
    const pruner = start(store);
    await send(pruner, [...START, ...FIRST], always);
    const second = await send(pruner, [...START, ...FIRST, ...SECOND], ([, one]) => one !== false);
    expect(second).toEqual([
      [false, false],
      [false, true],
    ]);
    const third = [...START, ...FIRST, ...SECOND, ...THIRD];
    for (const one of [pruner, start(store)]) expect(await send(one, third, always)).toEqual([[false, true, false]]);
  });

  test('that is refused again changes nothing: the fault is not in what was changed', async () => {
    const pruner = start();
    await send(pruner, [...START, ...FIRST], always);
    const messages = [...START, ...FIRST, ...SECOND];
    const both = [
      [false, false],
      [false, true],
    ];
    expect(await send(pruner, messages, never)).toEqual(both);
    expect(await send(pruner, messages, never)).toEqual(both);
    expect(await send(pruner, messages, always)).toEqual([[false, false]]);
    expect(await send(pruner, [...messages, ...THIRD], never)).toEqual([
      [false, false, false],
      [false, false, true],
    ]);
  });

  test('of a conversation of which nothing was accepted is sent again as the agent wrote it', async () => {
    const pruner = start();
    const messages = [...START, ...FIRST, ...SECOND];
    const given = body(messages);
    const pruned = await pruner.prune({ body: given, conversation: 'c' });
    expect(pruned.report.projected).toBe(1);
    const again = pruned.withoutNew!();
    expect(again.body).toBe(given);
    expect(again.report).toMatchObject({ changed: [], projected: 0, savedTokens: 0 });
    expect(again.report.unchangedTokens).toBe(again.report.sentTokens);
  });

  test('with nothing new in it is not sent again', async () => {
    const pruner = start();
    await send(pruner, [...START, ...FIRST], always);
    const messages = [...START, ...FIRST, { role: 'assistant', content: 'ok' }, user('go on')];
    expect((await pruner.prune({ body: body(messages), conversation: 'c' })).withoutNew).toBeUndefined();
  });

  test('counts as accepted if an answer follows it, also where nobody tells', async () => {
    const pruner = start();
    await pruner.prune({ body: body([...START, ...FIRST]), conversation: 'c' });
    const { withoutNew } = await pruner.prune({ body: body([...START, ...FIRST, ...SECOND]), conversation: 'c' });
    expect(isWhole(withoutNew!().body.messages)).toEqual([false, true]);
  });

  test('is taken back also if that cannot be written down', async () => {
    const kept = memoryStore();
    const store: PrunerStore = {
      load: kept.load,
      append: async (name, lines, expected) => {
        if (lines.some((line) => line.includes('refused'))) throw new Error('ENOSPC');
        return kept.append(name, lines, expected);
      },
    };
    const pruner = start(store);
    const isFirstWhole = ([one]: readonly boolean[]): boolean => one !== false;
    await send(pruner, [...START, ...FIRST], isFirstWhole);
    expect(await send(pruner, [...START, ...FIRST, ...SECOND], isFirstWhole)).toEqual([[true, true]]);
  });

  test('leaves no word of older versions without effect: where they stopped pruning, the originals go on', async () => {
    const store = memoryStore();
    await send(start(store), [...START, ...FIRST], always);
    const names: string[] = [];
    const spied: PrunerStore = {
      append: store.append,
      load: (name, after) => {
        names.push(name);
        return store.load(name, after);
      },
    };
    await start(spied).prune({ body: body([...START, ...FIRST]), conversation: 'c' });
    await store.append(names[0]!, ['{"handsOff":true}']);
    expect(await send(start(store), [...START, ...FIRST, ...SECOND], always)).toEqual([[true, false]]);
  });

  test.each([false, true])('is no call of the conversation, also after a restart (%s)', async (isRestarted) => {
    const list = (results: number): object[] => [
      user('start'),
      ...read('t0', '/a.ts', TEXT),
      ...Array.from({ length: results }, (_, at) => read(`n${at}`, '/a.ts', TEXT, 400 + at)).flat(),
    ];
    const callsAfter = async (refusals: number) => {
      const kept = memoryStore();
      const names = new Set<string>();
      const store: PrunerStore = { ...kept, load: (name, after) => kept.load(names.add(name) && name, after) };
      const pruner = start(store);
      for (const results of [1, 2, 3]) await send(pruner, list(results), always);
      const tooLong = [...list(4), user([{ type: 'text', text: 'x '.repeat(300_000) }])];
      for (let at = 0; at < refusals; at++) await send(pruner, at % 2 === 0 ? tooLong : list(4), never);
      await send(isRestarted ? start(store) : pruner, list(4), always);
      const stored = await Promise.all([...names].map((name) => kept.load(name)));
      return FrozenDecisions.of(stored.flatMap(({ lines }) => lines)).calls.calls.map(
        ({ promptTokens, removedTokens }) => [promptTokens, removedTokens],
      );
    };
    const calls = await callsAfter(0);
    expect(calls).toHaveLength(6);
    expect(await callsAfter(9)).toEqual(calls);
  });
});
