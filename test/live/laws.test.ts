import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import type { Accepted } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { runs } from '../property-runs.ts';

const MINUTE_MS = 60_000;
const OPTIONS = { api: 'anthropic-messages', vocabulary: claudeCode, workspaceRoot: '/' } as const;
const FILES = ['/a.ts', '/b.ts', '/c.ts'];

const contentOf = (file: string, version: number): string =>
  Array.from(
    { length: 120 },
    (_, line) => `${line + 1}\tline ${line} of ${file}, version ${line % 7 === 0 ? version : 0}`,
  ).join('\n');

/** A step of an agent: what it calls, how long it waits before, and whether it thinks. */
const step = fc.record({
  tool: fc.constantFrom('Read', 'Read', 'Write', 'Edit', 'Bash'),
  file: fc.constantFrom<string>(...FILES),
  waitMinutes: fc.constantFrom<number>(0, 1, 1, 4, 90),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Sent {
  readonly messages: readonly object[];
  readonly isEpoch: boolean;
}

function inputOf(tool: Step['tool'], file: string): object {
  if (tool === 'Bash') return { command: 'ls' };
  if (tool === 'Edit') return { file_path: file, old_string: `line 7 of ${file}`, new_string: 'y' };
  return { file_path: file, ...(tool === 'Write' && { content: 'z' }) };
}

/** Plays the steps against the provider; each request is sent as the pruner returns it. A restart before each tenth if asked. */
async function play(steps: readonly Step[], model: string, restarts: boolean): Promise<Sent[]> {
  const provider = new StrictProvider();
  const store = memoryStore();
  const versions = new Map<string, number>();
  const messages: object[] = [{ role: 'user', content: 'start' }];
  const sent: Sent[] = [];
  let nowMs = 0;
  const start = (): Pruner => createPruner({ ...OPTIONS, store, now: () => nowMs });
  let pruner = start();
  for (const [at, { tool, file, waitMinutes }] of steps.entries()) {
    nowMs += waitMinutes * MINUTE_MS;
    if (restarts && at % 10 === 9) pruner = start();
    const body = { model, max_tokens: 10, tools: [{ name: 'Read' }], messages };
    const bytes = Buffer.from(JSON.stringify(body));
    const { body: pruned, report } = await pruner.prune({ body: bytes });
    expect(report.untouched).toBeUndefined();
    const value = JSON.parse(Buffer.from(pruned).toString()) as typeof body;
    if (report.projected === 0) expect(pruned).toBe(bytes);
    const id = `t${at}`;
    const version = (versions.get(file) ?? 0) + (tool === 'Write' || tool === 'Edit' ? 1 : 0);
    versions.set(file, version);
    const input = inputOf(tool, file);
    const says = { thinking: `step ${at}`, calls: [{ id, name: tool, input }] };
    const outcome = provider.receive({ api: 'anthropic-messages', body: value, says }, nowMs);
    expect(outcome).toMatchObject({ status: 200, dropped: [] });
    sent.push({ messages: value.messages, isEpoch: report.isEpoch });
    const content = tool === 'Read' ? contentOf(file, version) : `done ${at}`;
    messages.push(...((outcome as Accepted).answer as object[]), {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content }],
    });
  }
  return sent;
}

function expectPrefixes(sent: readonly Sent[]): void {
  for (const [at, { messages, isEpoch }] of sent.entries()) {
    const before = sent[at - 1]?.messages ?? [];
    if (!isEpoch) expect(messages.slice(0, before.length)).toEqual(before);
  }
}

describe('the laws of projections', () => {
  test.each(['claude-sonnet-4-5', 'claude-opus-5-5'])(
    'each request extends the one before it between epochs, and is accepted with all thinking (%s)',
    async (model) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) =>
          expectPrefixes(await play(steps, model, false)),
        ),
        { numRuns: runs(15) },
      );
    },
  );

  test.each(['claude-sonnet-4-5', 'claude-opus-5-5'])(
    'a restart before each tenth request changes no byte that was sent (%s)',
    async (model) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 45 }), async (steps) =>
          expectPrefixes(await play(steps, model, true)),
        ),
        { numRuns: runs(8) },
      );
    },
  );

  test('some of them prune', async () => {
    const tools = ['Read', 'Read', 'Write', 'Bash', 'Bash'] as const;
    const steps = tools.map(
      (tool, at): Step => ({ tool, file: at === 1 ? '/b.ts' : '/a.ts', waitMinutes: at === 4 ? 90 : 0 }),
    );
    expect((await play(steps, 'claude-sonnet-4-5', false)).some(({ isEpoch }) => isEpoch)).toBe(true);
  });
});

describe('any bytes', () => {
  const repeated = contentOf('/a.ts', 0);
  const result = (id: string): object => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: repeated }],
  });
  const call = (id: string): object => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a.ts' } }],
  });
  const messages = [{ role: 'user', content: 'start' }, call('t1'), result('t1'), call('t2'), result('t2')];
  const ONLY_REPEATS = {
    readWritePruning: false,
    fileDedupe: false,
    recencyPruning: false,
    rules: { repeatedLines: 4 },
  };
  /** In bytes, a text of JSON with markers. */
  const SHORTENED = /"(?:[^"\\]|\\.)*\u00e2\u009f\u00a6density: (?:[^"\\]|\\.)*"/;
  const VALID = JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages });
  const odd = fc.constantFrom(
    '12345678901234567890123',
    '"\\ud800"',
    '{"a":1,"a":2}',
    '"messages":[],',
    '\u0000',
    '[[[[[[',
    '}',
    '"',
    '\\',
    ' \n\t',
    ',"x":1e999',
    '"[density: not ours]"',
    'é😀',
  );
  const mutation = fc.record({ at: fc.nat(VALID.length), length: fc.constantFrom(0, 0, 1, 20, 5000), text: odd });

  test('come back unchanged, or with nothing but the texts of results replaced', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), fc.boolean(), async (mutations, isBinary) => {
        let text = VALID;
        for (const { at, length, text: put } of mutations) text = text.slice(0, at) + put + text.slice(at + length);
        const bytes = Buffer.from(text, isBinary ? 'latin1' : 'utf8');
        const { body, report } = await createPruner({ ...OPTIONS, config: ONLY_REPEATS }).prune({ body: bytes });
        if (report.projected === 0) {
          expect(body).toBe(bytes);
          return;
        }
        changed++;
        const before = bytes.toString('latin1');
        const after = Buffer.from(body).toString('latin1');
        const [shortened = ''] = SHORTENED.exec(after) ?? [];
        const [head, tail] = after.split(shortened) as [string, string];
        expect(before.startsWith(head) && before.endsWith(tail)).toBe(true);
        expect(typeof JSON.parse(before.slice(head.length, before.length - tail.length))).toBe('string');
      }),
      { numRuns: runs(2000) },
    );
    expect(changed).toBeGreaterThan(runs(100));
  });

  test('of 33 MB are spliced, and so is the ordinary request after them', async () => {
    const pruner = createPruner({ ...OPTIONS, mostMs: 60_000 });
    const odd = '\\ud800 12345678901234567890123 \\u0000\\n\\u00e9 ';
    const output = Buffer.from(`"${odd.repeat((33 * 1024 * 1024) / odd.length)}"`);
    const [start, t1, r1, t2, r2] = messages.map((message) => JSON.stringify(message));
    const ran = { type: 'tool_use', id: 'b1', name: 'Bash', input: { command: 'ls' } };
    const answer = JSON.stringify({ role: 'assistant', content: [ran] });
    const bodyOf = (...more: string[]): Buffer =>
      Buffer.concat([
        Buffer.from(`{"model":"claude-sonnet-4-5","tools":[{}],"n":{"a":1,"a":12345678901234567890123},"messages":[`),
        Buffer.from(
          `${start},${t1},${r1},${answer},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b1",`,
        ),
        Buffer.from('"content":'),
        output,
        Buffer.from(`}]},${t2},${more.join(',')}]}`),
      ]);
    const marker =
      '⟦density: 120 lines, 1 to 120, as shown above by Read /a.ts, from "line 0 of /a.ts, versio…" #sy2ajc⟧';
    const shorter = r2!.replace(JSON.stringify(repeated), JSON.stringify(marker));
    const later = JSON.stringify({ role: 'user', content: 'go on' });
    const first = await pruner.prune({ body: bodyOf(r2!) });
    expect(first.report).toMatchObject({ projected: 1, changed: [{ callId: 't2' }] });
    expect(Buffer.from(first.body).equals(bodyOf(shorter))).toBe(true);
    const second = await pruner.prune({ body: bodyOf(r2!, later) });
    expect(second.report).toMatchObject({ projected: 1, changed: [], isEpoch: false });
    expect(Buffer.from(second.body).equals(bodyOf(shorter, later))).toBe(true);
  });

  test('come back unchanged if they are too many', async () => {
    const bytes = Buffer.alloc(35 * 1024 * 1024, VALID);
    expect((await createPruner(OPTIONS).prune({ body: bytes })).body).toBe(bytes);
  });

  test('come back unchanged if `JSON.parse` finds them too deep, and else with all that is deep', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const bytes = Buffer.from(VALID.replace('"start"', deep));
    const { body } = await createPruner(OPTIONS).prune({ body: bytes });
    // Since Node 26 it reads any depth.
    if (isReadable(bytes)) expect(Buffer.from(body as Uint8Array).includes(deep)).toBe(true);
    else expect(body).toBe(bytes);
  });
});

function isReadable(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
