import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { ConversationList } from '../../src/live/conversation/conversation-list.ts';
import { ElementReader } from '../../src/live/conversation/element.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { bytesList } from '../../src/live/request/bytes-list.ts';
import { LIVE_DIALECTS } from '../../src/live/request/dialects.ts';
import { Slices } from '../../src/live/turn/slices.ts';
import { promptCounter } from '../../src/tokens/entries/prompt-counter.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const STUB = 'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.';

const step = fc.record({
  tool: fc.constantFrom('Read', 'Read', 'Read', 'Edit', 'Bash'),
  file: fc.constantFrom('/a.ts', '/b.ts'),
  lines: fc.constantFrom(20, 200),
  isStub: fc.constantFrom(false, false, true),
  waitMinutes: fc.constantFrom(0, 0, 1, 90),
  /** Messages that the agent takes back before this step, in pairs. */
  back: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const messagesOf = (id: string, name: string, input: object, content: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
];

const bodyOf = (messages: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{}], messages }));

const contentOf = ({ file, lines }: Step, version: number): string =>
  Array.from({ length: lines }, (_, at) => `${at + 1}\tline ${at} of ${file}, version ${version} – “ä”`).join('\n');

function* requestsOf(steps: readonly Step[]): Generator<{ body: Buffer; waitMinutes: number }> {
  let messages: object[] = [{ role: 'user', content: 'start' }];
  let version = 0;
  for (const [at, one] of steps.entries()) {
    if (one.back > 0) messages = messages.slice(0, Math.max(1, messages.length - 2 * one.back));
    if (one.tool === 'Edit') version++;
    const input = { file_path: one.file, ...(one.tool === 'Edit' && { old_string: 'x', new_string: 'y' }) };
    const content = one.tool === 'Read' ? (one.isStub ? STUB : contentOf(one, version)) : `done ${at}`;
    messages = [...messages, ...messagesOf(`t${at}`, one.tool, input, content)];
    yield { body: bodyOf(messages), waitMinutes: one.waitMinutes };
  }
}

/** What is sent and archived of a conversation, if so many others are used after each of its requests. */
async function played(steps: readonly Step[], others: number): Promise<string[]> {
  let nowMs = 0;
  const seen: string[] = [];
  const archive = async (blocks: readonly object[]): Promise<void> => {
    seen.push(JSON.stringify(blocks));
  };
  const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, archive, now: () => nowMs });
  for (const { body, waitMinutes } of requestsOf(steps)) {
    nowMs += waitMinutes * MINUTE_MS;
    const pruned = await pruner.prune({ body, conversation: 'idle' });
    expect(pruned.report.untouched).toBeUndefined();
    seen.push(Buffer.from(pruned.body).toString());
    for (let other = 0; other < others; other++) {
      const messages = messagesOf('other', 'Read', { file_path: `/${other}.ts` }, `${other}`);
      await pruner.prune({ body: bodyOf(messages), conversation: `other ${other}` });
    }
  }
  return seen;
}

describe('a conversation that is idle', () => {
  test('goes on with the bytes and the archived blocks that it has if nothing else is sent', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 40 }), async (steps) => {
        const alone = await played(steps, 0);
        expect(await played(steps, 10)).toEqual(alone);
        if (alone.some((text) => text.includes('[density: '))) changed++;
      }),
      { numRuns: runs(40) },
    );
    expect(changed).toBeGreaterThan(0);
  });

  test('keeps no texts of results: they are read from its last request where they are needed', async () => {
    const dialect = LIVE_DIALECTS['anthropic-messages'];
    const text = 'one\ntwo';
    const messages = messagesOf('t1', 'Read', { file_path: '/a.ts' }, text);
    const opening = { key: dialect.listKey, before: undefined, slices: new Slices(1_000) };
    const list = await bytesList(bodyOf(messages), opening);
    const history = new ConversationList();
    const reader = new ElementReader(dialect);
    for (let index = 0; index < list.length; index++)
      history.add(reader.read(list.element(index), history.idCounts, promptCounter('claude-opus-5')), [1]);
    history.list = list;
    const { result } = history.results[0]!;
    const before = JSON.stringify(result);
    history.texts.release();
    // The last request has another text, as no agent's has, to see where it is read.
    history.list = await bytesList(bodyOf(messagesOf('t1', 'Read', {}, 'read again')), opening);
    expect({ ...result.block }).toMatchObject({ result: 'read again' });
    expect(result.text).toBe('read again');
    history.texts.release();
    history.list = list;
    expect(JSON.stringify(result)).toBe(before);
    expect(result.text).toBe(text);
  });
});
