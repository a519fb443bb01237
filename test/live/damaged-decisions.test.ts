import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fileStore } from '../../src/live/file-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CONVERSATIONS = ['whole', 'garbage', 'one line'];
const textOf = (file: string): string =>
  Array.from({ length: 200 }, (_, line) => `const value${line} = '${file}';`).join('\n');

/** A conversation that reads two files twice: each second read is sent as a marker. */
function bodyOf(conversation: string, reads: number): Uint8Array {
  const messages: object[] = [{ role: 'user', content: `Begin ${conversation}.` }];
  for (let number = 0; number < reads; number++) {
    const id = `call${number}`;
    const file = `/${number % 2}.ts`;
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: file } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: textOf(file) }] },
    );
  }
  return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages }));
}

const markersIn = (body: string): number => body.match(/⟦density: /g)?.length ?? 0;

/** A start of the program, with what it said. */
function start() {
  const troubles: string[] = [];
  const pruner = createPruner({
    api: 'anthropic-messages',
    store: fileStore(folder, { onTrouble: (what) => troubles.push(what) }),
  });
  const send = async (conversation: string, reads: number): Promise<string> =>
    Buffer.from((await pruner.prune({ body: bodyOf(conversation, reads), conversation })).body).toString();
  return { send, troubles };
}

const jsonFiles = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** The file of the conversation that was written last. */
function newFile(known: readonly string[]): string {
  const names = jsonFiles().filter((name) => !known.includes(name));
  return path.join(folder, names.find((name) => readFileSync(path.join(folder, name), 'utf8').includes('"freeze"'))!);
}

test('damaged decisions are said once, what is readable is used, and other conversations are as before', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'damaged-'));
  const first = start();
  const files = new Map<string, string>();
  const sent = new Map<string, string>();
  for (const name of CONVERSATIONS) {
    const known = jsonFiles();
    for (const reads of [1, 2, 3, 4]) sent.set(name, await first.send(name, reads));
    files.set(name, newFile(known));
  }
  expect(new Set(files.values()).size).toBe(3);
  expect(markersIn(sent.get('whole')!)).toBe(2);
  expect(first.troubles).toEqual([]);
  const garbage = files.get('garbage')!;
  const oneLine = files.get('one line')!;
  writeFileSync(garbage, Buffer.from('{"freeze":\n\u0000\u0001\n[]\n7'));
  const text = readFileSync(oneLine, 'utf8');
  const [line, kept] = text.split('\n').filter((one) => one.includes('"freeze"'));
  writeFileSync(oneLine, text.replace(line!, '#'.repeat(line!.length)));

  const second = start();
  expect(await second.send('whole', 4)).toBe(sent.get('whole'));
  expect(second.troubles).toEqual([]);
  const later = [await second.send('garbage', 4), await second.send('one line', 4)];
  const { freeze } = JSON.parse(kept!) as { freeze: { text: string } };
  expect(later[1]).toContain(JSON.stringify(freeze.text));
  expect([await second.send('garbage', 4), await second.send('one line', 4)]).toEqual(later);
  const damaged = [garbage, oneLine].map((file) => expect.stringContaining(`${file}.damaged`));
  expect(second.troubles).toEqual(damaged);
  expect(readFileSync(`${garbage}.damaged`, 'utf8')).toContain('\u0001');

  const third = start();
  expect([await third.send('garbage', 4), await third.send('one line', 4)]).toEqual(later);
  expect(third.troubles).toEqual([]);
});

test('the last line of a process that was killed is no damage', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'damaged-'));
  for (const reads of [1, 2, 3]) await start().send('killed', reads);
  const file = newFile([]);
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"freeze":{"id":"ca`);
  const next = start();
  expect(markersIn(await next.send('killed', 3))).toBe(1);
  expect(next.troubles).toEqual([]);
});

test('a file that cannot be read or written is said', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'damaged-'));
  for (const reads of [1, 2, 3]) await start().send('blocked', reads);
  const file = newFile([]);
  rmSync(file);
  mkdirSync(file);
  const next = start();
  expect(markersIn(await next.send('blocked', 3))).toBe(0);
  expect(next.troubles[0]).toMatch(/^decisions cannot be kept, so nothing new is removed: EISDIR/);
});
