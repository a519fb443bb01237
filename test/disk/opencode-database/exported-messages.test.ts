import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { databaseSessions } from '../../../src/disk/opencode-database/database-session.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because a process of its own runs it.
import * as stored from '../../fixtures/opencode-database.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'density-later-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sessionAt = (file: string, id: string) => readSession(fileBytes(`${file}#${id}`)).session;

const model = { id: 'claude-sonnet-5-5', providerID: 'anthropic' };
const tokens = { input: 100, output: 20, reasoning: 5, cache: { read: 700, write: 50 } };
const time = { created: 1_000, completed: 2_000 };
const say = (text: string): [string, Record<string, unknown>] => ['user', { text, time }];
const answer = (content: readonly object[]): [string, Record<string, unknown>] => [
  'assistant',
  { agent: 'build', model, content, tokens, cost: 0.1, finish: 'stop', time },
];
const done = (id: string, output: string): object => ({
  type: 'tool',
  id,
  name: 'read',
  time: { created: 1, ran: 2, completed: 3 },
  state: { status: 'completed', input: { path: 'a.ts' }, content: [{ type: 'text', text: output }] },
});

/** A message of opencode 1. */
const earlier = (sessionID: string, text: string) => ({
  info: { id: `msg_${text}`, sessionID, role: 'user', time: { created: 5 } },
  parts: [{ id: `prt_${text}`, sessionID, messageID: `msg_${text}`, type: 'text', text }],
});

type Messages = readonly (readonly [string, Readonly<Record<string, unknown>>])[];

function fileOf(
  name: string,
  { first = [], later, isNew }: { first?: readonly string[]; isNew?: boolean; later: Record<string, Messages> },
): string {
  const file = path.join(folder, name);
  const database = stored.newDatabase(file);
  stored.addSecondVersion(database);
  for (const id of first) {
    stored.addSession(database, { id });
    stored.addMessage(database, earlier(id, `old${id}`));
  }
  for (const [id, messages] of Object.entries(later)) stored.addLaterSession(database, { id, updated: 9 }, messages);
  if (isNew) for (const table of ['part', 'message', 'session']) database.exec(`drop table ${table}`);
  database.close();
  return file;
}

describe('a session of opencode 2', () => {
  test('has what the model was sent, and what was counted', () => {
    const thought = { type: 'reasoning', text: 'hm', native: { signature: 's1' } };
    const failed = {
      type: 'tool',
      id: 'c2',
      name: 'bash',
      time: { created: 1 },
      state: { status: 'error', input: { command: 'false' }, error: { type: 'unknown', message: 'exit 1' } },
    };
    const messages: Messages = [
      ['agent-switched', { agent: 'build', time }],
      ['user', { text: 'go', files: [{ uri: 'data:image/png;base64,AAAA', mime: 'image/png', name: 'a.png' }], time }],
      ['system', { text: 'Today is Sunday.', time }],
      answer([thought, { type: 'text', text: 'I look.' }, done('c1', 'let a;'), failed]),
      ['shell', { shellID: 's', command: 'ls', status: 'exited', output: { output: 'a.ts' }, time }],
      ['idle', { outcome: 'succeeded', time }],
    ];
    const session = sessionAt(fileOf('one.db', { later: { ses_a: messages } }), 'ses_a');
    expect(session).toMatchObject({
      id: 'ses_a',
      model: 'claude-sonnet-5-5',
      workspaceRoot: '/repo/demo',
      skipped: [],
    });
    const history = liveHistory(session);
    expect(history.map(({ speaker, blocks }) => [speaker, ...blocks.map(({ type }) => type)])).toEqual([
      ['human', 'text', 'media'],
      ['human', 'text'],
      ['ai', 'thinking', 'text', 'tool_call', 'tool_call'],
      ['tool', 'tool_response'],
      ['tool', 'tool_response'],
      ['human', 'text'],
    ]);
    expect(history[2]?.blocks[0]).toMatchObject({ thought: 'hm', signature: 's1' });
    expect(history[3]?.blocks[0]).toMatchObject({ callId: 'c1', toolName: 'read', result: 'let a;' });
    expect(history[4]?.blocks[0]).toMatchObject({ callId: 'c2', error: expect.stringContaining('exit 1') });
    expect(history[5]?.blocks[0]).toMatchObject({ text: 'Shell command: ls\n\na.ts' });
    expect(history[2]?.metadata?.usage).toMatchObject({ promptTokens: 850, completionTokens: 25, cachedTokens: 700 });
  });

  test('begins with its last finished compaction', () => {
    const compaction = (status: string, summary: string): [string, Record<string, unknown>] => [
      'compaction',
      { status, reason: 'auto', model, summary, recent: 'The last words.', tokens, time },
    ];
    const later = { ses_b: [say('old'), compaction('failed', 'no'), compaction('completed', 'It began.'), say('new')] };
    const session = sessionAt(fileOf('two.db', { later }), 'ses_b');
    const texts = liveHistory(session).flatMap(({ blocks }) =>
      blocks.flatMap((one) => (one.type === 'text' ? one.text : [])),
    );
    expect(texts).toEqual([expect.stringContaining('It began.'), 'new']);
    expect(texts[0]).toContain('The last words.');
    expect(session.events).toContainEqual(expect.objectContaining({ by: { kind: 'compaction', trigger: 'auto' } }));
  });

  test('stands beside those of opencode 1; one that both have is that of the later version', () => {
    const later = { ses_both: [say('from the later tables'), answer([{ type: 'text', text: 'yes' }])], ses_empty: [] };
    const file = fileOf('both.db', { first: ['ses_both', 'ses_old', 'ses_empty'], later });
    expect(databaseSessions(file).map(({ id, reportedTokens }) => [id, reportedTokens])).toEqual([
      ['ses_both', 875],
      ['ses_old', undefined],
      ['ses_empty', undefined],
    ]);
    const firstText = (id: string) => liveHistory(sessionAt(file, id))[0]?.blocks[0];
    expect(firstText('ses_both')).toMatchObject({ text: 'from the later tables' });
    expect(firstText('ses_old')).toMatchObject({ text: 'oldses_old' });
    expect(firstText('ses_empty')).toMatchObject({ text: 'oldses_empty' });
  });
});

test('A database that opencode 2 made has no tables of opencode 1', () => {
  const file = fileOf('new.db', { later: { ses_n: [say('hello')] }, isNew: true });
  expect(databaseSessions(file)).toMatchObject([{ id: 'ses_n', directory: '/repo/demo' }]);
  expect(liveHistory(sessionAt(file, 'ses_n'))).toHaveLength(1);
});
