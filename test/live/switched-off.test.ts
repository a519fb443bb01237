import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport } from '../../src/live/contract.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { switchLine } from '../../src/live/stored-lines.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const API = 'anthropic-messages';
const FILES = ['/a.ts', '/b.ts', '/c.ts'];

const contentOf = (file: string, version: number): string =>
  Array.from({ length: 120 }, (_, line) => `line ${line} of ${file}, version ${line % 7 === 0 ? version : 0}`).join(
    '\n',
  );

/** A step of an agent: what it calls, how long it waits before, and whether the pruner starts again. */
const step = fc.record({
  tool: fc.constantFrom('Read', 'Read', 'Write', 'Bash', 'Grep'),
  file: fc.constantFrom(...FILES),
  waitMinutes: fc.constantFrom(0, 1, 4, 90),
  restarts: fc.constantFrom(false, false, false, true),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Sent {
  readonly own: readonly object[];
  readonly sent: readonly object[];
  readonly report: PruneReport;
}

function inputOf({ tool, file }: Step): object {
  if (tool === 'Bash') return { command: `npm run check ${file}` };
  if (tool === 'Grep') return { pattern: 'line', path: file };
  return { file_path: file, ...(tool === 'Write' && { content: 'z' }) };
}

/** An agent whose requests go through pruners with one store, one after the other. */
class Play {
  readonly store = memoryStore();
  readonly messages: object[] = [{ role: 'user', content: 'start' }];
  headers: Readonly<Record<string, string>> = { 'x-session-id': 'one', authorization: 'first' };
  nowMs = 0;
  isOff = false;
  #pruner: LivePruner | undefined;
  #versions = new Map<string, number>();

  async request(): Promise<Sent> {
    const isOff = this.isOff;
    this.#pruner ??= new LivePruner({
      api: API,
      vocabulary: claudeCode,
      workspaceRoot: '/',
      store: this.store,
      isOff,
      now: () => this.nowMs,
    });
    const own = [...this.messages];
    const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages: own };
    const { body: sent, report } = await this.#pruner.prune({ body, headers: this.headers });
    expect(report.untouched).toBeUndefined();
    return { own, sent: sent.messages, report };
  }

  /** Lets the agent make a call, and sends its result. */
  async step(one: Step): Promise<Sent> {
    const { tool, file, waitMinutes, restarts } = one;
    this.nowMs += waitMinutes * MINUTE_MS;
    if (restarts) this.restart();
    const version = (this.#versions.get(file) ?? 0) + (tool === 'Write' ? 1 : 0);
    this.#versions.set(file, version);
    const id = `t${this.messages.length}`;
    const matches = contentOf(file, version).replaceAll(/^/gm, `${file}:`);
    const content = tool === 'Read' ? contentOf(file, version) : tool === 'Grep' ? matches : `done ${id}`;
    this.messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: inputOf(one) }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    );
    return this.request();
  }

  restart(): void {
    this.#pruner = undefined;
  }

  /** What another process does. */
  async turn(to: 'on' | 'off', { report }: Sent): Promise<void> {
    await this.store.append(report.conversation!, [switchLine(to)]);
  }
}

/** A request that has the bytes of the one before it, and nothing new in another form. */
function expectNothingNew(now: Sent, before: Sent): void {
  expect(now.report).toMatchObject({ changed: [], isEpoch: false });
  const known = before.sent.length;
  expect(JSON.stringify(now.sent.slice(0, known))).toBe(JSON.stringify(before.sent));
  expect(now.sent.slice(known)).toEqual(now.own.slice(known));
}

const steps = (least: number) => fc.array(step, { minLength: least, maxLength: 20 });
const read = (file: string, waitMinutes: Step['waitMinutes'] = 0): Step => ({
  tool: 'Read',
  file,
  waitMinutes,
  restarts: false,
});
const READS = [read('/a.ts'), read('/b.ts'), read('/a.ts')];

describe('a conversation that another process switches off', () => {
  test('repeats what was sent byte for byte, also after restarts, and changes no new result until it is on again', async () => {
    let changed = 0;
    let again = 0;
    await fc.assert(
      fc.asyncProperty(steps(4), steps(4), steps(8), async (before, off, after) => {
        const play = new Play();
        let last = await play.request();
        for (const one of before) last = await play.step(one);
        changed += last.report.projected;
        await play.turn('off', last);
        for (const one of off) {
          const now = await play.step(one);
          expectNothingNew(now, last);
          // Where nothing was ever changed, it is noticed before the first change.
          if (last.report.projected > 0) expect(now.report.isOff).toBe(true);
          last = now;
        }
        await play.turn('on', last);
        for (const one of after) {
          const now = await play.step(one);
          expect(now.report.isOff).toBeUndefined();
          if (!now.report.isEpoch) expect(now.sent.slice(0, last.sent.length)).toEqual(last.sent);
          again += now.report.changed.length;
          last = now;
        }
      }),
      { numRuns: runs(40) },
    );
    expect(changed).toBeGreaterThan(0);
    expect(again).toBeGreaterThan(0);
  });

  test('notices it before anything of it was changed, and when it is on again', async () => {
    const play = new Play();
    let last = await play.request();
    await play.turn('off', last);
    for (const one of [...READS, read('/b.ts', 90)]) {
      last = await play.step(one);
      expect(last.sent).toEqual(last.own);
    }
    expect(last.report.isOff).toBe(true);
    await play.turn('on', last);
    last = await play.step(read('/a.ts'));
    expect(last.report).toMatchObject({ changed: [{ callId: 't9' }] });
    expect(last.report.isOff).toBeUndefined();
  });

  test('is still off where its agent has another credential, unless that one was switched on', async () => {
    const play = new Play();
    for (const one of READS) await play.step(one);
    const first = await play.step(read('/b.ts'));
    expect(first.report.projected).toBe(2);
    await play.turn('off', first);
    await play.request();
    play.headers = { ...play.headers, authorization: 'second' };
    let second = await play.step(read('/a.ts'));
    expect(second.report.conversation).not.toBe(first.report.conversation);
    expectNothingNew(second, first);
    play.restart();
    const later = await play.step(read('/a.ts', 90));
    expectNothingNew(later, second);
    await play.turn('on', later);
    second = await play.step(read('/a.ts'));
    expect(second.report.changed).not.toEqual([]);
    // What is asked for again soon is sent whole.
    await play.step(read('/c.ts'));
    play.headers = { ...play.headers, authorization: 'third' };
    expect((await play.step(read('/b.ts'))).report.changed).not.toEqual([]);
  });

  test('leaves other conversations as they are, those with the same start too', async () => {
    const play = new Play();
    const first = await play.step(read('/a.ts'));
    await play.turn('off', first);
    await play.step(read('/a.ts'));
    play.headers = { ...play.headers, 'x-session-id': 'two' };
    expect((await play.step(read('/a.ts'))).report.changed).not.toEqual([]);
  });
});

test('a pruner that is off repeats what was sent, changes nothing new, and leaves no file of a conversation of which nothing was changed', async () => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(steps(0), steps(4), async (before, off) => {
      const play = new Play();
      let last = await play.request();
      for (const one of before) last = await play.step(one);
      changed += last.report.projected;
      play.isOff = true;
      play.restart();
      for (const one of off) {
        const now = await play.step(one);
        expectNothingNew(now, last);
        expect(now.report.isOff).toBe(true);
        last = now;
      }
      const { lines } = await play.store.load(last.report.conversation!);
      expect(lines.some((line) => line.startsWith('{"switch"'))).toBe(false);
      if (before.length === 0) expect(lines).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
  expect(changed).toBeGreaterThan(0);
});
