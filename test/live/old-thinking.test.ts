import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { archiveName } from '../../src/disk/block-archive.ts';
import type { PruneReport, Pruner } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const OPUS_5 = 'claude-opus-5';

interface Block {
  readonly type: string;
  readonly thinking?: string;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** A step of an agent: what comes before its answer, how long after the last one, and whether the answer calls a tool. */
interface Step {
  readonly says?: string;
  readonly waitMinutes: number;
  readonly isSilent?: boolean;
}

interface Sent {
  readonly messages: readonly Message[];
  readonly original: readonly Message[];
  readonly report: PruneReport;
}

interface Played {
  readonly sent: readonly Sent[];
  readonly kept: readonly ContentBlock[];
  readonly dollars: number;
}

interface Playing {
  readonly model?: string;
  readonly isBytes?: boolean;
  /** Another pruner sends each request after this one: it does not know how long the agent waited. */
  readonly restartsFrom?: number;
  readonly isPruned?: boolean;
}

/** Plays the steps against the provider, which must accept each request and drop no thinking. */
async function play(steps: readonly Step[], given: Playing = {}): Promise<Played> {
  const { model = OPUS_5, isBytes = true, restartsFrom = Number.POSITIVE_INFINITY, isPruned = true } = given;
  const provider = new StrictProvider();
  const store = memoryStore();
  const kept: ContentBlock[] = [];
  const sent: Sent[] = [];
  const list: Message[] = [];
  let ms = 0;
  let dollars = 0;
  const start = (): Pruner =>
    createPruner({
      api: 'anthropic-messages',
      vocabulary: claudeCode,
      workspaceRoot: '/',
      store,
      now: () => ms,
      archive: async (blocks) => void kept.push(...blocks),
    });
  let pruner = start();
  for (const [at, { says, waitMinutes, isSilent }] of steps.entries()) {
    ms += waitMinutes * MINUTE_MS;
    if (at > restartsFrom) pruner = start();
    const last = list.at(-1);
    const open = last?.role === 'assistant' ? (last.content as readonly { type: string; id?: string }[]) : [];
    const results = open.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: `ok ${id}` }] : [],
    );
    const words = results.length === 0 || says !== undefined ? [{ type: 'text', text: says ?? 'go on' }] : [];
    list.push({ role: 'user', content: [...results, ...words] });
    const value = { model, max_tokens: 10, tools: [{ name: 'Bash' }], messages: [...list] };
    const body = isBytes ? Buffer.from(JSON.stringify(value, undefined, at % 3)) : value;
    const pruned = await pruner.prune({ body, conversation: 'c' });
    expect(pruned.report.untouched).toBeUndefined();
    if (pruned.report.projected === 0) expect(pruned.body).toBe(body);
    const now = (isBytes ? JSON.parse(Buffer.from(pruned.body as Uint8Array).toString()) : pruned.body) as typeof value;
    const thinking = isSilent ? {} : { thinking: `about step ${at}, ${'at some length '.repeat(20)}` };
    const answer =
      at % 4 === 3 ? { text: `done ${at}` } : { calls: [{ id: `t${at}`, name: 'Bash', input: { command: 'ls' } }] };
    const request = {
      api: 'anthropic-messages',
      body: isPruned ? now : value,
      says: { ...thinking, ...answer },
    } as const;
    const outcome = provider.receive(request, ms);
    expect(outcome).toMatchObject({ status: 200, dropped: [] });
    dollars += (outcome as Accepted).dollars ?? 0;
    sent.push({ messages: now.messages, original: value.messages, report: pruned.report });
    list.push(...((outcome as Accepted).answer as Message[]));
  }
  return { sent, kept, dollars };
}

const thoughtsOf = ({ content }: Message): string[] =>
  typeof content === 'string' ? [] : content.flatMap(({ thinking }) => thinking ?? []);
const bare = ({ role, content }: Message): Message => ({
  role,
  content: typeof content === 'string' ? content : content.filter(({ type }) => type !== 'thinking'),
});

/** Turns of four calls; two hours pass before the ninth. */
const TURNS: readonly Step[] = Array.from({ length: 44 }, (_, at) => ({ waitMinutes: at === 32 ? 120 : 1 }));

describe('old thinking', () => {
  test.each([true, false])('is left out at a cold moment, and stays out (bytes: %s)', async (isBytes) => {
    const { sent, kept } = await play(TURNS, { isBytes });
    for (const { messages, original } of sent.slice(0, 32)) expect(messages).toEqual(original);
    const epoch = sent[32]!;
    expect(epoch.report).toMatchObject({ isEpoch: true, decision: { cause: 'cold' } });
    // Of 32 answers the last 20 keep it.
    const had = epoch.messages.filter(({ role }) => role === 'assistant').map((message) => thoughtsOf(message).length);
    expect(had).toEqual([...Array(12).fill(0), ...Array(20).fill(1)]);
    expect(epoch.messages.map(bare)).toEqual(epoch.original.map(bare));
    for (const { messages, report } of sent.slice(33)) {
      expect(messages.slice(0, epoch.messages.length)).toEqual(epoch.messages);
      expect(report.isEpoch).toBe(false);
    }
    const [first] = epoch.report.changed;
    expect(first).toMatchObject({
      what: 'thinking',
      reason: 'it belongs to an earlier turn, and was sent with at least 20 model calls',
    });
    expect(first!.savedTokens).toBeGreaterThan(50);
    expect(kept.map(archiveName)).toContain(first!.hash);
    expect(kept[0]).toEqual({ type: 'thinking', thought: thoughtsOf(epoch.original[1]!)[0] });
  });

  test('of several blocks in an answer goes as a whole', async () => {
    let ms = 0;
    const pruner = createPruner({
      api: 'anthropic-messages',
      vocabulary: claudeCode,
      workspaceRoot: '/',
      now: () => ms,
      archive: async () => {},
    });
    const thought = (signature: string): object => ({ type: 'thinking', thinking: 'at length '.repeat(40), signature });
    const messages = Array.from({ length: 33 }, (_, at) => [
      { role: 'user', content: `go on ${at}` },
      { role: 'assistant', content: [thought(`a${at}`), { type: 'text', text: `done ${at}` }, thought(`b${at}`)] },
    ]).flat() as Message[];
    const body = (count: number) => ({ model: OPUS_5, tools: [{ name: 'Bash' }], messages: messages.slice(0, count) });
    await pruner.prune({ body: body(63), conversation: 'c' });
    ms += 120 * MINUTE_MS;
    const { body: sent } = await pruner.prune({ body: body(65), conversation: 'c' });
    const had = sent.messages.filter(({ role }) => role === 'assistant').map((message) => thoughtsOf(message).length);
    expect(had).toEqual([...Array(12).fill(0), ...Array(20).fill(2)]);
  });

  test('is sent the same after each restart, and costs less', async () => {
    const { sent, dollars } = await play(TURNS);
    const again = await play(TURNS, { restartsFrom: 32 });
    expect(again.sent.map(({ messages }) => messages)).toEqual(sent.map(({ messages }) => messages));
    expect(dollars).toBeLessThan((await play(TURNS, { isPruned: false })).dollars);
  });

  test.each(['claude-sonnet-4-5', 'claude-opus-5-5', 'claude-haiku-4-5'])('stays with %s', async (model) => {
    const { sent } = await play(TURNS, { model });
    for (const { messages, original } of sent) expect(messages).toEqual(original);
  });

  test('laws: accepted, only thinking goes, the same between epochs, of the running turn none', async () => {
    const step = fc.record({
      waitMinutes: fc.constantFrom(1, 1, 1, 4, 90, 130),
      isSilent: fc.constantFrom(false, false, true),
    });
    let omitted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 24, maxLength: 48 }), async (steps) => {
        const { sent } = await play(steps);
        for (const [at, { messages, original, report }] of sent.entries()) {
          expect(messages.map(bare)).toEqual(original.map(bare));
          const before = sent[at - 1]?.messages ?? [];
          if (!report.isEpoch) expect(messages.slice(0, before.length)).toEqual(before);
          const turn = original.findLastIndex(({ content }) => (content as readonly Block[])[0]!.type === 'text');
          expect(messages.slice(turn)).toEqual(original.slice(turn));
          omitted += original.flatMap(thoughtsOf).length - messages.flatMap(thoughtsOf).length;
        }
      }),
      { numRuns: runs(15) },
    );
    expect(omitted).toBeGreaterThan(runs(100));
  });
});
