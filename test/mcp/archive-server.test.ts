import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { BlockArchive, blockHash } from '../../src/disk/block-archive.ts';
import { serveArchive } from '../../src/mcp/archive-server.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-mcp-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Message {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** What the server answers to lines after a greeting: by id, and the answers without an id in their order. */
async function answersTo(archive: BlockArchive, lines: readonly (string | object)[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveArchive({ archive, version: '1.2.3', input, output });
  const written = [{ id: 'hello', ...HELLO }, ...lines].map((line) =>
    typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line }),
  );
  // A chunk may end anywhere, also inside a character.
  const bytes = Buffer.from(`${written.join('\n')}\n`);
  for (let at = 0; at < bytes.length; at += 1_009) input.write(bytes.subarray(at, at + 1_009));
  input.end();
  await served;
  output.end();
  const text = (await output.setEncoding('utf8').toArray()).join('');
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  const byId = new Map(messages.filter(({ id }) => id !== null).map((message) => [message.id, message]));
  return { byId, unnamed: messages.filter(({ id }) => id === null), count: messages.length };
}

const call = (id: number, name: string, parameters: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: parameters },
});
const textOf = (message: Message | undefined): string => message?.result?.content?.[0]?.text ?? '';

const CALL: ContentBlock = { type: 'tool_call', id: 'c1', name: 'Read', parameters: { file_path: '/app/häuser.ts' } };
const KEY = `ghp_${'aB3dE6gH9kL2nO5qR8tU1wX4zA7cF0iJ3mP6'}`;
const RESULT: ContentBlock = {
  type: 'tool_response',
  callId: 'c1',
  toolName: 'Read',
  result: `const häuser = 1;\nconst token = "${KEY}";\nconst last = 3;`,
};

describe('the server of removed text', () => {
  const archive = new BlockArchive(path.join(root, 'archive'));
  const kept = archive.keep([CALL, RESULT]);
  const hash = blockHash(RESULT);

  test('brings a text back by the start of its hash, whole or some lines, without its secrets', async () => {
    await kept;
    const { byId } = await answersTo(archive, [
      call(1, 'recall', { hash: hash.slice(0, 12) }),
      call(2, 'recall', { hash, lines: '3' }),
    ]);
    expect(textOf(byId.get(1))).toMatch(
      /^\[density [0-9a-f]{12}, lines 1-3 of 3; 1 secret hidden, so this is not word for word\]\nconst häuser = 1;\n/,
    );
    expect(textOf(byId.get(1))).not.toContain(KEY);
    expect(textOf(byId.get(2)).split('\n')[1]).toBe('const last = 3;');
  });

  test('says what is wrong with a hash or lines', async () => {
    await kept;
    const { byId } = await answersTo(archive, [
      call(1, 'recall', { hash: 'ffffffff' }),
      call(2, 'recall', { hash, lines: '9-' }),
      call(3, 'recall', { hash: '../../etc' }),
    ]);
    expect([1, 2, 3].map((id) => byId.get(id)?.result?.isError)).toEqual([true, true, true]);
    expect(textOf(byId.get(1))).toContain('not among 2');
    expect(textOf(byId.get(2))).toContain('a text of 3 lines, got "9-"');
  });

  test('finds texts by a line or by what they are about, and says how much there is', async () => {
    await kept;
    const { byId } = await answersTo(archive, [
      call(1, 'search_removed', { query: 'CONST LAST' }),
      call(2, 'search_removed', { path: 'häuser' }),
      call(3, 'search_removed', { query: KEY }),
      call(4, 'search_removed', { query: 'nowhere' }),
      call(5, 'archive_status', {}),
    ]);
    expect(textOf(byId.get(1)).split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${hash.slice(0, 12)} .* Read /app/häuser.ts$`)),
      '  3: const last = 3;',
    ]);
    expect(textOf(byId.get(2)).split('\n')).toHaveLength(2);
    expect(textOf(byId.get(3))).not.toContain(hash.slice(0, 12));
    expect(textOf(byId.get(4))).toContain('0 removed texts found in the newest 2 of 2 blocks');
    expect(textOf(byId.get(5))).toMatch(/^2 blocks of removed text, \d+ B, from /);
  });

  test('answers what is no message with an error of JSON-RPC, and goes on', async () => {
    const { byId, unnamed, count } = await answersTo(archive, [
      '{"jsonrpc": "2.0", "id": 1',
      '[{"jsonrpc":"2.0","id":2,"method":"ping"}]',
      '"text"',
      'x'.repeat(17 * 1024 * 1024),
      '',
      '\u0000',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"1.0","id":3,"method":"ping"}',
      { id: 4, method: 5 },
      { id: 5, method: 'ping', params: 'text' },
      { id: 6, method: 'no/such/method' },
      call(7, 'no_such_tool', {}),
      { id: 8, result: {} },
      { method: 'notifications/unknown' },
      { id: 9, method: 'ping' },
    ]);
    expect(unnamed.map(({ error }) => error?.code)).toEqual([-32700, -32600, -32600, -32600, -32700, -32600]);
    expect([3, 4, 5, 6, 7].map((id) => byId.get(id)?.error?.code)).toEqual([-32600, -32600, -32600, -32601, -32602]);
    expect(byId.get(9)).toMatchObject({ result: {} });
    expect(count).toBe(1 + 6 + 5 + 1);
  });

  test('names at most a little of what was asked in an error', async () => {
    const archive = new BlockArchive(path.join(root, 'long'));
    await archive.keep([RESULT]);
    const long = 'a'.repeat(1_000_000);
    const { byId, count } = await answersTo(archive, [
      call(1, 'recall', { hash: long }),
      call(2, 'recall', { hash: blockHash(RESULT), lines: `1${' '.repeat(1_000_000)}x` }),
      call(3, long, {}),
      { id: 4, method: long },
      call(5, 'search_removed', { query: long, path: long }),
      call(6, 'recall', { hash: 'g' }),
    ]);
    expect(count).toBe(7);
    for (const id of [1, 2, 3, 4, 5]) expect(JSON.stringify(byId.get(id)).length, String(id)).toBeLessThan(1_000);
    expect(textOf(byId.get(6))).toContain('got "g"');
  });

  test('refuses an id that an answer cannot name, and ends when the input does', async () => {
    const archive = new BlockArchive(path.join(root, 'ids'));
    const ping = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const { byId, unnamed } = await answersTo(archive, [
      ping('1e400'),
      ping('12345678901234567890'),
      ping('1.5'),
      ping('7'),
    ]);
    expect(unnamed).toMatchObject(Array.from({ length: 3 }, () => ({ error: { code: -32600 } })));
    expect(byId.get(7)).toMatchObject({ result: {} });
  });
});
