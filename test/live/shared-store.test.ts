import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner, PrunerStore } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const FILES = ['/a.ts', '/b.ts', '/c.ts'];
const contentOf = (file: string, version: number): string =>
  Array.from({ length: 160 }, (_, at) => `${at + 1}\tline ${at} of ${file}, version ${version}`).join('\n');

const step = fc.record({
  tool: fc.constantFrom('Read', 'Read', 'Write', 'Bash', 'mcp__files__show'),
  file: fc.constantFrom(...FILES),
  waitMinutes: fc.constantFrom(0, 0, 1, 90),
  /** Which pruner gets the request. */
  at: fc.nat(2),
  /** Elements that the agent takes back before this step, in pairs; 0: none. */
  back: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const INPUTS: Readonly<Record<Step['tool'], (facts: { file: string; index: number }) => object>> = {
  Read: ({ file }) => ({ file_path: file }),
  Write: ({ file }) => ({ file_path: file, content: 'z' }),
  Bash: () => ({ command: 'ls' }),
  // No rule makes its result stale, and no call asks for the same again.
  mcp__files__show: ({ file, index }) => ({ file, index }),
};
const SHOWS: ReadonlySet<Step['tool']> = new Set(['Read', 'mcp__files__show']);

const shared = (): PrunerStore => ({ ...memoryStore(), isShared: true });

/** The requests of the steps, and after a rewind the other branch now and then again. */
function requestsOf(steps: readonly Step[]): { body: Buffer; step: Step }[] {
  let messages: object[] = [{ role: 'user', content: 'start' }];
  let other: object[] | undefined;
  const versions = new Map<string, number>();
  return steps.map((one, index) => {
    const { tool, file, back } = one;
    if (back > 0) {
      other = messages;
      messages = messages.slice(0, Math.max(1, messages.length - 2 * back));
    } else if (other && index % 7 === 0) [messages, other] = [other, messages];
    const version = (versions.get(file) ?? 0) + (tool === 'Write' ? 1 : 0);
    versions.set(file, version);
    const id = `t${index}`;
    const input = INPUTS[tool]({ file, index });
    messages = [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: SHOWS.has(tool) ? contentOf(file, version) : 'ok' }],
      },
    ];
    const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages };
    return { body: Buffer.from(JSON.stringify(body)), step: one };
  });
}

/** What is sent if each step's pruner is the one that `pick` says. */
async function sent(
  requests: ReturnType<typeof requestsOf>,
  pick: (step: Step) => number,
  isRepeated: (index: number) => boolean = () => false,
): Promise<string[]> {
  const store = shared();
  let nowMs = 0;
  const pruners: Pruner[] = Array.from({ length: 3 }, () =>
    createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, now: () => nowMs }),
  );
  const texts: string[] = [];
  for (const [index, { body, step: one }] of requests.entries()) {
    nowMs += one.waitMinutes * MINUTE_MS;
    const send = async (at: number): Promise<string> => {
      const pruned = await pruners[at % 3]!.prune({ body, conversation: 'c' });
      expect(pruned.report.untouched).toBeUndefined();
      return Buffer.from(pruned.body).toString();
    };
    const answers = isRepeated(index)
      ? await Promise.all([send(pick(one)), send(pick(one) + 1), send(pick(one) + 2)])
      : [await send(pick(one))];
    expect(new Set(answers).size).toBe(1);
    texts.push(answers[0]!);
  }
  return texts;
}

describe('pruners that share a store', () => {
  test('send what one pruner sends, whoever gets a request, also after rewinds', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const requests = requestsOf(steps);
        const alone = await sent(requests, () => 0);
        changed += alone.filter((text, at) => text !== requests[at]!.body.toString()).length;
        expect(await sent(requests, ({ at }) => at)).toEqual(alone);
      }),
      { numRuns: runs(25) },
    );
    expect(changed).toBeGreaterThan(runs(100));
  });

  test('send the same where all get the same request at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const requests = requestsOf(steps);
        const isRepeated = (index: number): boolean => index % 3 === 1;
        expect(await sent(requests, ({ at }) => at, isRepeated)).toEqual(await sent(requests, () => 0));
      }),
      { numRuns: runs(15) },
    );
  });

  test('repeat what they know while the store does not answer, and decide nothing', async () => {
    const store = shared();
    const state = { isGone: false };
    const gone = (): PrunerStore => ({
      isShared: true,
      load: (...given) => (state.isGone ? Promise.reject(new Error('gone')) : store.load(...given)),
      append: (...given) => (state.isGone ? Promise.reject(new Error('gone')) : store.append(...given)),
    });
    const start = (): Pruner => createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store: gone() });
    const one = start();
    const other = start();
    const steps = Array.from(
      { length: 5 },
      (): Step => ({ tool: 'mcp__files__show', file: '/a.ts', waitMinutes: 0, at: 0, back: 0 }),
    );
    const requests = requestsOf(steps).map(({ body }) => body);
    const send = async (pruner: Pruner, at: number) => pruner.prune({ body: requests[at]!, conversation: 'c' });
    await send(other, 0);
    const before = await send(one, 1);
    expect(before.report.projected).toBe(1);
    state.isGone = true;
    // It knows the reference, and makes no second one.
    expect((await send(one, 2)).report).toMatchObject({ projected: 1, changed: [] });
    // It saw the first request only.
    expect((await send(other, 2)).body).toBe(requests[2]);
    expect((await send(start(), 2)).body).toBe(requests[2]);
    state.isGone = false;
    const after = [await send(other, 3), await send(one, 4), await send(start(), 4)];
    // The result that went out whole while the store was gone is changed only in an epoch.
    const epoch = after.findIndex(({ report }) => report.isEpoch);
    for (const [at, { report }] of after.entries()) {
      const whole = epoch === -1 || at < epoch ? 1 : 0;
      expect(report.projected).toBe([3, 4, 4][at]! - whole);
    }
    const [prefix] = Buffer.from(before.body).toString().split(']}]}');
    for (const { body } of after) expect(Buffer.from(body).toString()).toContain(prefix!);
  });

  test('forget what their store lost when it was restored from an older state, and send the same bytes', async () => {
    let kept = shared();
    const store: PrunerStore = {
      isShared: true,
      load: (...given) => kept.load(...given),
      append: (...given) => kept.append(...given),
    };
    const start = (): Pruner => createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store });
    const steps = Array.from(
      { length: 6 },
      (): Step => ({ tool: 'mcp__files__show', file: '/a.ts', waitMinutes: 0, at: 0, back: 0 }),
    );
    const requests = requestsOf(steps).map(({ body }) => body);
    const one = start();
    const other = start();
    const send = (pruner: Pruner, at: number) => pruner.prune({ body: requests[at]!, conversation: 'c' });
    await send(one, 0);
    expect((await send(one, 1)).report.projected).toBe(1);
    kept = shared();
    const texts: string[] = [];
    for (const [at, pruner] of [one, other, start(), one].entries()) {
      const { body, report } = await send(pruner, at + 2);
      // What was decided before is lost for all; the last result of each request is new, and repeats.
      expect(report.projected).toBe(at + 1);
      texts.push(Buffer.from(body).toString());
    }
    for (const [at, text] of texts.entries()) {
      const next = texts[at + 1];
      if (next !== undefined) expect(next.startsWith(text.slice(0, -']}'.length))).toBe(true);
    }
  });
});
