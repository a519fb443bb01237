import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { blockHash } from '../../../src/disk/block-archive.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { sessionHash } from '../../../src/live/stored-lines.ts';
import { namedSince } from '../../../src/sessions/archive/naming-conversations.ts';
import { sessionBlocks } from '../../../src/sessions/archive/session-blocks.ts';
import { userArchive } from '../../../src/sessions/archive/user-archive.ts';
import { archiveFolder, conversationsFolder } from '../../../src/sessions/places/data-folder.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'density-data-'));
  vi.stubEnv('XDG_DATA_HOME', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

const DAY_MS = 24 * 60 * 60_000;
const passed = (name: string): string =>
  `${Array.from({ length: 30 }, (_, at) => ` ✓ test/${name}-${at}.test.ts (3 tests) 5ms`).join('\n')}\n      Tests  90 passed (90)`;
const linesOf = (name: string): string =>
  Array.from({ length: 300 }, (_, at) => `line ${at} of the file ${name}`).join('\n');
const call = (id: string, name: string, input: object): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, content: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
/** A run of tests, of which the names are left out, and a file that is read twice. */
const messages = (name: string, ids: readonly [string, string, string]): object[] => [
  { role: 'user', content: name },
  call(ids[0], 'Bash', { command: 'npm test' }),
  result(ids[0], passed(name)),
  ...ids.slice(1).flatMap((id) => [call(id, 'Read', { file_path: `/${name}` }), result(id, linesOf(name))]),
];

async function prune(session: string, list: readonly object[]): Promise<void> {
  const archive = userArchive([]);
  const pruner = createPruner({
    api: 'anthropic-messages',
    store: fileStore(conversationsFolder()),
    archive: (blocks) => archive.keep(blocks),
  });
  const headers = { 'x-claude-code-session-id': session };
  let projected = 0;
  for (const end of [3, 5, list.length]) {
    const body = {
      model: 'claude-sonnet-4-5',
      tools: [{ name: 'Read' }, { name: 'Bash' }],
      messages: list.slice(0, end),
    };
    ({ projected } = (await pruner.prune({ body, headers })).report);
  }
  expect(projected).toBe(2);
}

const blocksIn = async (hashes?: readonly string[]): Promise<ContentBlock[]> => {
  const archive = userArchive([]);
  const all = (await archive.list()).filter(({ hash }) => hashes?.includes(hash) ?? true);
  return (await archive.contents(all)).map(({ block }) => block);
};
const ofSession = async (session: string): Promise<ContentBlock[]> => {
  const found = await sessionBlocks(userArchive([]), sessionHash(session));
  return blocksIn(found!.map(({ hash }) => hash));
};
const asText = (blocks: readonly ContentBlock[]): string[] => blocks.map((block) => JSON.stringify(block)).sort();

test('the blocks of a session are all that its conversations had archived, but no call whose id others have too', async () => {
  await prune('one', messages('alpha', ['call_1', 'call_2', 'call_3']));
  const own = await blocksIn();
  expect(own.map(({ type }) => type).sort()).toEqual(['tool_call', 'tool_call', 'tool_response', 'tool_response']);
  await prune('two', messages('beta', ['call_1', 'call_2', 'call_3']));
  // Both ran the same command under the same id.
  expect(await blocksIn()).toHaveLength(7);
  const found = await ofSession('one');
  expect(asText(found).join('\n')).not.toContain('beta');
  expect(asText(found)).toEqual(asText(own.filter(({ type }) => type === 'tool_response')));
  expect(await sessionBlocks(userArchive([]), sessionHash('three'))).toBeUndefined();
});

test('what another conversation names too is not among them', async () => {
  const ids = [
    'toolu_01aaaaaaaaaaaaaaaaaaaaaa',
    'toolu_01bbbbbbbbbbbbbbbbbbbbbb',
    'toolu_01cccccccccccccccccccccc',
  ] as const;
  await prune('one', messages('alpha', ids));
  // A fork under another name has the same calls.
  await prune('two', [...messages('alpha', ids), { role: 'user', content: 'go on' }]);
  await prune(
    'three',
    messages('gamma', [
      'toolu_01dddddddddddddddddddddd',
      'toolu_01eeeeeeeeeeeeeeeeeeeeee',
      'toolu_01ffffffffffffffffffffff',
    ]),
  );
  expect(await ofSession('one')).toEqual([]);
  const third = await ofSession('three');
  expect(third).toHaveLength(4);
  expect(asText(third).join('\n')).not.toContain('alpha');
});

test('lines of a writer that was killed, and files that nothing is known of, do not matter', async () => {
  await prune('one', messages('alpha', ['call_1', 'call_2', 'call_3']));
  for (const name of readdirSync(conversationsFolder()))
    appendFileSync(path.join(conversationsFolder(), name), '{"freeze":{"id":"call_1');
  appendFileSync(path.join(conversationsFolder(), 'other.jsonl'), '{"session":"ab');
  expect(await ofSession('one')).toHaveLength(4);
});

test('what a conversation names that was used lately stays, however old it is, and nothing else', async () => {
  await prune('one', messages('alpha', ['call_1', 'call_2', 'call_3']));
  const ofFirst = readdirSync(conversationsFolder());
  await prune('two', messages('beta', ['call_4', 'call_5', 'call_6']));
  const old = new Date(Date.now() - 50 * DAY_MS);
  for (const name of ofFirst) utimesSync(path.join(conversationsFolder(), name), old, old);
  for (const name of readdirSync(archiveFolder())) utimesSync(path.join(archiveFolder(), name), old, old);
  const [run] = (await blocksIn()).filter((block) => JSON.stringify(block).includes('beta-0.test.ts'));
  expect(await namedSince(Date.now() - DAY_MS)).toEqual(new Set([blockHash(run!).slice(0, 12)]));
  await userArchive([{ 'compression.density.archiveMegabytes': 0.0001 }]).makeRoom();
  expect(await blocksIn()).toEqual([run]);
});
