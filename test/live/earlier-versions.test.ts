import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner, PrunerStore } from '../../src/live/contract.ts';
import { hashOf } from '../../src/live/conversation/hash-of.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const TEXT = Array.from({ length: 160 }, (_, at) => `${at + 1}\tline ${at + 1} of the file`).join('\n');
const NOTE = '\n\n<system-reminder>\n8000 tokens left\n</system-reminder>';
const MARKER = '[density: word for word the result of the earlier Read /a.ts (t1)]';
/** As earlier versions wrote it down. */
const FREEZE = JSON.stringify({
  freeze: {
    id: `t2 ${hashOf(TEXT + NOTE)}`,
    kind: 'repeat',
    text: MARKER + NOTE,
    reason: 'word for word the result of the earlier Read /a.ts',
    target: `t1 ${hashOf(TEXT)}`,
    files: [],
  },
});

const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string, name: string, input: object, content: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  user([{ type: 'tool_result', tool_use_id: id, content }]),
];
const answer = { role: 'assistant', content: 'ok' };
const FIRST = call('t1', 'Read', { file_path: '/a.ts' }, TEXT);
const SECOND = call('t2', 'Read', { file_path: '/a.ts' }, TEXT + NOTE);
const LIST = [user('start'), ...FIRST, ...SECOND];

/** A store with the reference of an earlier version. */
async function earlierStore(): Promise<PrunerStore> {
  const store = memoryStore();
  const names: string[] = [];
  const load: PrunerStore['load'] = (name, after) => store.load(names[names.push(name) - 1]!, after);
  await sentBy(started({ ...store, load }), LIST.slice(0, 1));
  await store.append(names[0]!, [FREEZE]);
  return store;
}

const started = (store: PrunerStore, now = () => 0): Pruner =>
  createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, now });

async function sentBy(pruner: Pruner, messages: readonly object[]): Promise<readonly object[]> {
  const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages };
  return (await pruner.prune({ body, conversation: 'c' })).body.messages;
}

const resultOf = (message: object | undefined): unknown =>
  (message as { content: { content: unknown }[] }).content[0]!.content;

describe('a reference in place of a whole result, which only earlier versions made', () => {
  const stale = [...LIST, ...call('t3', 'Write', { file_path: '/a.ts', content: 'new' }, 'File written')];

  test('is sent in every later request, and what it refers to stays whole', async () => {
    const now = { ms: 0 };
    const afterEpoch = async (store: PrunerStore): Promise<readonly object[]> => {
      const pruner = started(store, () => now.ms);
      await sentBy(pruner, LIST);
      now.ms += 61 * 60_000;
      return sentBy(pruner, stale);
    };
    expect(resultOf((await afterEpoch(memoryStore()))[2])).toBe('[density: Read /a.ts, removed]');
    const store = await earlierStore();
    const sent = await afterEpoch(store);
    expect([2, 4].map((at) => resultOf(sent[at]))).toEqual([TEXT, MARKER + NOTE]);
    expect(await sentBy(started(store), [...stale, answer, user('go on')])).toEqual([...sent, answer, user('go on')]);
  });

  test('is whole in the branch that lost what it refers to, and as before in the other one, also after a restart', async () => {
    const store = await earlierStore();
    const compacted = [user('summary'), ...SECOND, answer, user('go on')];
    for (const pruner of [started(store), started(store)]) {
      const sent = await sentBy(pruner, LIST);
      expect(resultOf(sent[4])).toBe(MARKER + NOTE);
      expect(await sentBy(pruner, compacted)).toEqual(compacted);
      expect(await sentBy(pruner, [...LIST, answer, user('go on')])).toEqual([...sent, answer, user('go on')]);
    }
  });

  test('shows no lines: a new result names the text that it refers to', async () => {
    const list = [...LIST, ...call('t3', 'Bash', { command: 'npm run show' }, TEXT)];
    const sent = await sentBy(started(await earlierStore()), list);
    expect(resultOf(sent[6])).toMatch(/^⟦density: 160 lines, 1 to 160, as shown above by Read \/a\.ts, .*⟧$/);
  });

  test('is a name in the text in which an agent goes on from a summary', async () => {
    const pruner = started(await earlierStore());
    await sentBy(pruner, LIST);
    const opening = 'This session is being continued from a previous conversation that ran out of context.\n';
    expect(await sentBy(pruner, [user(`${opening}${MARKER}.`)])).toEqual([user(`${opening}Read /a.ts.`)]);
  });
});
