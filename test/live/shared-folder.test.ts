import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruned, Pruner, PrunerStore } from '../../src/live/contract.ts';
import { fileStore } from '../../src/live/file-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { switchLine } from '../../src/live/stored-lines.ts';
import { runs } from '../property-runs.ts';

const parent = mkdtempSync(path.join(tmpdir(), 'density-shared-folder-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(parent, 'run-'));
});

/** A pruner as another process has it: it shares nothing but the folder. */
const start = (store: PrunerStore = fileStore(folder)): Pruner =>
  createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, store, archive: async () => {} });

const testsPassed = (run: number): string =>
  `${Array.from({ length: 60 }, (_, at) => `✓ test ${at} of run ${run} passes well and long enough`).join('\n')}\nTests: 60 passed`;
const fileText = (file: number, version: number): string =>
  Array.from({ length: 120 }, (_, at) => `export const value${at} = ${at} * ${file} + ${at === 7 ? version : 0};`).join(
    '\n',
  );

type Kind = 'read' | 'edit' | 'tests' | 'list';

function turn(kind: Kind, at: number): object[] {
  const file = at % 3;
  const [name, input, text] = {
    read: ['Read', { file_path: `/w/${file}.ts` }, fileText(file, at >> 2)],
    edit: ['Edit', { file_path: `/w/${file}.ts`, old_string: 'a', new_string: 'b' }, 'ok'],
    tests: ['Bash', { command: 'npm test' }, testsPassed(at)],
    list: ['Bash', { command: `ls ${at}` }, 'a.ts'],
  }[kind] as [string, object, string];
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: text }] },
  ];
}

/** The requests of a conversation: one after each of these turns. */
function requestsOf(kinds: readonly Kind[]): Buffer[] {
  const messages: object[] = [{ role: 'user', content: 'start' }];
  return kinds.map((kind, at) => {
    messages.push(...turn(kind, at));
    return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Bash' }], messages }));
  });
}

const textOf = ({ body }: Pruned<Buffer | Uint8Array>): string => Buffer.from(body).toString();
const ask = (pruner: Pruner, body: Buffer): Promise<Pruned<Buffer>> => pruner.prune({ body, conversation: 'c' });

describe('two proxies on one data folder', () => {
  test('send what one of them would send, whoever gets a request', async () => {
    let changed = 0;
    const kind = fc.constantFrom<Kind>('read', 'read', 'edit', 'tests', 'list');
    const step = fc.record({ kind, at: fc.nat(1), isAtOnce: fc.constantFrom(false, false, true) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const requests = requestsOf(steps.map((one) => one.kind));
        folder = mkdtempSync(path.join(parent, 'alone-'));
        const one = start();
        const alone: string[] = [];
        for (const body of requests) alone.push(textOf(await ask(one, body)));
        folder = mkdtempSync(path.join(parent, 'two-'));
        const two = [start(), start()];
        for (const [index, body] of requests.entries()) {
          const { at, isAtOnce } = steps[index]!;
          const asked = isAtOnce ? two : [two[at]!];
          for (const pruned of await Promise.all(asked.map((pruner) => ask(pruner, body))))
            expect(textOf(pruned)).toBe(alone[index]);
        }
        changed += alone.filter((text, index) => text !== requests[index]!.toString()).length;
      }),
      { numRuns: runs(40) },
    );
    expect(changed).toBeGreaterThan(0);
  });

  test('repeat the form of a result that the other one has sent, also where they have nothing to decide', async () => {
    const [first, second, third] = requestsOf(['list', 'tests', 'list']);
    const one = start();
    const other = start();
    await ask(other, first!);
    const sent = JSON.parse(textOf(await ask(one, second!))) as { messages: object[] };
    expect(JSON.stringify(sent)).toContain('60 lines of tests that passed left out');
    const after = JSON.parse(textOf(await ask(other, third!))) as { messages: object[] };
    expect(after.messages.slice(0, sent.messages.length)).toEqual(sent.messages);
  });

  test('change nothing more from the next request on, once pruning is turned off', async () => {
    const [first, second, third] = requestsOf(['tests', 'list', 'tests']);
    const pruner = start();
    expect((await ask(pruner, first!)).report.changed).toHaveLength(1);
    const isConversation = (name: string): boolean =>
      readFileSync(path.join(folder, name), 'utf8').includes('"freeze"');
    const file = readdirSync(folder).find(isConversation)!;
    await fileStore(folder).append(path.basename(file, '.jsonl'), [switchLine('off')]);
    await ask(pruner, second!);
    expect((await ask(pruner, third!)).report).toMatchObject({ projected: 1, changed: [], isOff: true });
  });

  test('repeat what they know and decide nothing while the folder does not answer', async () => {
    const [first, second, third] = requestsOf(['tests', 'tests', 'tests']);
    const state = { isGone: false };
    const store = fileStore(folder);
    const gone =
      <Given extends unknown[], Value>(work: (...given: Given) => Promise<Value>) =>
      (...given: Given): Promise<Value> =>
        state.isGone ? Promise.reject(new Error('gone')) : work(...given);
    const pruner = start({ version: gone(store.version!), load: gone(store.load), append: gone(store.append) });
    await ask(pruner, first!);
    // Others append, and then it cannot be read.
    await ask(start(), second!);
    state.isGone = true;
    expect((await ask(pruner, second!)).report).toMatchObject({ projected: 1, changed: [] });
    state.isGone = false;
    expect(textOf(await ask(pruner, third!))).toBe(textOf(await ask(start(), third!)));
  });
});
