import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport, Pruner } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { RECOMMENDED_CONFIG } from '../../src/live/turn/recommended-config.ts';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const OLD_ACCOUNT = 'old';
const DROPS = { ...RECOMMENDED_CONFIG, rules: { ...RECOMMENDED_CONFIG.rules, thinkingWhenCold: 'drop' as const } };

interface Block {
  readonly type: string;
  readonly thinking?: string;
  readonly text?: string;
}
interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

interface Step {
  readonly waitMinutes: number;
  readonly tool: 'Read' | 'Bash' | 'Edit' | undefined;
  readonly file: string;
  readonly isSilent: boolean;
}

interface Sent {
  readonly messages: readonly Message[];
  readonly original: readonly Message[];
  readonly report: PruneReport;
  readonly idleMinutes: number;
}

const shown = (file: string, at: number): string =>
  Array.from(
    { length: 150 },
    (_, line) => `${line + 1}\tline ${line} of ${file}, ${line % 9 === 0 ? at : 'as ever'}`,
  ).join('\n');

/** Plays the steps against a provider that binds thinking, and that must accept each request and drop nothing. */
async function play(
  steps: readonly Step[],
  { account = 'new', restartsFrom = Number.POSITIVE_INFINITY, config = DROPS, model = 'claude-opus-5-5' } = {},
): Promise<Sent[]> {
  const provider = new StrictProvider({ createdAt: (name) => (name === OLD_ACCOUNT ? 0 : Number.POSITIVE_INFINITY) });
  const store = memoryStore();
  const sent: Sent[] = [];
  const list: Message[] = [];
  let ms = 0;
  const start = (): Pruner =>
    createPruner({
      api: 'anthropic-messages',
      vocabulary: claudeCode,
      workspaceRoot: '/',
      store,
      config,
      now: () => ms,
      archive: async () => {},
    });
  let pruner = start();
  for (const [at, { waitMinutes, tool, file, isSilent }] of steps.entries()) {
    ms += waitMinutes * MINUTE_MS;
    if (at > restartsFrom) pruner = start();
    const last = list.at(-1);
    const open = (last?.content ?? []) as readonly { type: string; id?: string; name?: string }[];
    const results = open.flatMap(({ type, id, name }) =>
      type === 'tool_use'
        ? [
            {
              type: 'tool_result',
              tool_use_id: id,
              content: name === 'Read' ? shown(steps[at - 1]!.file, at) : `ok ${at}`,
            },
          ]
        : [],
    );
    list.push({
      role: 'user',
      content: results.length > 0 ? results : ([{ type: 'text', text: `words ${at}` }] as Block[]),
    });
    const value = { model, max_tokens: 10, tools: [{ name: 'Bash' }], messages: [...list] };
    const pruned = await pruner.prune({ body: Buffer.from(JSON.stringify(value)), conversation: 'c' });
    expect(pruned.report.untouched).toBeUndefined();
    const now = JSON.parse(Buffer.from(pruned.body).toString()) as typeof value;
    const input =
      tool === 'Bash' ? { command: `ls ${at}` } : { file_path: file, old_string: 'a', new_string: `b${at}` };
    const answer = tool === undefined ? { text: `done ${at}` } : { calls: [{ id: `t${at}`, name: tool, input }] };
    const says = { ...(!isSilent && { thinking: `about step ${at}` }), ...answer };
    const outcome = provider.receive({ api: 'anthropic-messages', body: now, says, account }, ms);
    expect(outcome).toMatchObject({ status: 200, dropped: [] });
    sent.push({ messages: now.messages, original: value.messages, report: pruned.report, idleMinutes: waitMinutes });
    list.push(...((outcome as Accepted).answer as Message[]));
  }
  return sent;
}

const thoughtsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap(({ thinking }) => thinking ?? []));

const step: fc.Arbitrary<Step> = fc.record({
  waitMinutes: fc.constantFrom(1, 1, 1, 4, 7, 90, 130),
  tool: fc.constantFrom('Read' as const, 'Read' as const, 'Edit' as const, 'Bash' as const, undefined),
  file: fc.constantFrom('/a.ts', '/b.ts', '/c.ts'),
  isSilent: fc.constantFrom(false, false, false, true),
});

describe('thinkingWhenCold: drop', () => {
  test.each(['new', OLD_ACCOUNT])('laws over random pauses (%s account)', async (account) => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 50 }), fc.nat(60), async (steps, restartsFrom) => {
        const sent = await play(steps, { account, restartsFrom });
        const gone = new Set<string>();
        for (const [at, { messages, original, report, idleMinutes }] of sent.entries()) {
          const before = sent[at - 1]?.messages ?? [];
          if (!report.isEpoch) expect(messages.slice(0, before.length)).toEqual(before);
          const has = new Set(thoughtsIn(messages));
          const missing = thoughtsIn(original).filter((thought) => !has.has(thought));
          // Only after the lifetime of the cache, when a person speaks, and what went once does not come again.
          if (missing.some((thought) => !gone.has(thought))) {
            expect(idleMinutes).toBeGreaterThan(5);
            expect(messages.at(-1)!.content[0]!.type).toBe('text');
          }
          expect(missing).toEqual(expect.arrayContaining([...gone]));
          for (const thought of missing) gone.add(thought);
        }
        dropped += gone.size;
      }),
      { numRuns: runs(40) },
    );
    expect(dropped).toBeGreaterThan(runs(100));
  });

  /** Reads that edits make stale, then two hours, then a person. */
  const PAUSED: readonly Step[] = Array.from({ length: 24 }, (_, at) => ({
    waitMinutes: at === 20 ? 130 : 1,
    tool: at === 19 ? undefined : at % 2 === 0 ? ('Read' as const) : ('Edit' as const),
    file: '/a.ts',
    isSilent: false,
  }));

  test('is off unless it is chosen', async () => {
    const kept = await play(PAUSED, { config: RECOMMENDED_CONFIG as typeof DROPS });
    expect(thoughtsIn(kept[20]!.messages)).toEqual(thoughtsIn(kept[20]!.original));
    const sent = await play(PAUSED);
    expect(sent[20]!.report).toMatchObject({ isEpoch: true, decision: { cause: 'cold' } });
    expect(thoughtsIn(sent[20]!.messages).length).toBeLessThan(thoughtsIn(sent[20]!.original).length);
    const reasons = new Set(
      sent[20]!.report.changed.filter(({ what }) => what === 'thinking').map(({ reason }) => reason),
    );
    expect([...reasons]).toEqual([
      'text before it changed when the prompt cache had expired, and the model binds it to that text',
    ]);
  });

  test('never in the middle of a round of tools', async () => {
    const open = PAUSED.map((one, at) => (at === 19 ? { ...one, tool: 'Bash' as const } : one));
    const sent = await play(open);
    for (const { messages, original } of sent) expect(thoughtsIn(messages)).toEqual(thoughtsIn(original));
  });
});
