import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/chat/conversation.ts';
import { completions } from '../../src/chat/slash/completion.ts';
import { isSlashCommand, runSlashCommand, SLASH_COMMANDS } from '../../src/chat/slash/index.ts';
import { BlockArchive } from '../../src/disk/block-archive.ts';
import { SETTINGS_REGISTRY } from '../../src/settings/registry.ts';
import { ChatRoom, NEVER } from './chat-room.ts';
import { call, text } from './scripted-model.ts';

const settingOf = (chat: Conversation, key: string): unknown =>
  chat.settings.explain('gpt-5').find((setting) => setting.key === key);

const run = (line: string, chat: Conversation, signal = NEVER) => runSlashCommand(line, chat, signal);

describe('/set', () => {
  test.each([
    ['compression.strategy', 'high-density', 'high-density'],
    ['compression.density.readWritePruning', 'false', false],
    ['compression.density.fileDedupe', 'false', false],
    ['compression.density.recencyPruning', 'true', true],
    ['compression.density.recencyRetention', '5', 5],
    ['compression-threshold', '0.6', 0.6],
    ['context-limit', '100000', 100_000],
  ])('%s %s applies from the next send (REQ-HD-004.4, REQ-HD-009.1 to 009.4)', async (key, typed, value) => {
    const { chat } = await new ChatRoom().open([]);
    const ephemerals = chat.settings.ephemerals('gpt-5');
    expect(await run(`/set ${key} ${typed}`, chat)).toMatchObject({
      kind: 'settings',
      settings: [{ key, value }],
    });
    expect(settingOf(chat, key)).toEqual({ key, value, origin: { kind: 'session' } });
    if (key === 'compression.density.recencyRetention') expect(ephemerals.densityRecencyRetention()).toBe(5);
    await run(`/set unset ${key}`, chat);
    expect(settingOf(chat, key)).not.toMatchObject({ origin: { kind: 'session' } });
  });

  test.each([
    ['compression.stratgy high-density', 'SETTING_UNKNOWN', '`compression.strategy`'],
    ['compression.strategy hi-density', 'SETTING_INVALID', 'one of'],
    ['compression.strategy hi-density', 'SETTING_INVALID', 'Nearest valid value: high-density'],
    ['compression.density.recencyRetention many', 'SETTING_INVALID', 'a whole number'],
    ['compression.density.fileDedupe yes', 'SETTING_INVALID', '`true` or `false`'],
    ['compression-threshold 1.5', 'SETTING_INVALID', 'above 0 and at most 1'],
    ['compression.profile none-such', 'PROFILE_UNKNOWN', 'none-such'],
    ['unset compression', 'SETTING_UNKNOWN', 'Did you mean'],
    ['context-limit', 'USAGE', '/set <key> <value>'],
    ['', 'USAGE', 'no argument'],
  ])('/set %s fails with the rule and the nearest name', async (words, code, message) => {
    const { chat } = await new ChatRoom().open([]);
    const before = chat.settings.explain('gpt-5');
    await expect(run(`/set ${words}`, chat)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(chat.settings.explain('gpt-5')).toEqual(before);
  });

  test('the engine follows its setting', async () => {
    const { chat } = await new ChatRoom().open([[text('Hi.')]]);
    await chat.say('Hello.', NEVER);
    expect(chat.status().engine).toBe('inline');
    await run('/set compression.engine inline', chat);
    expect(chat.status().engine).toBe('inline');
  });
});

describe('/profile', () => {
  test('saves, loads, lists and deletes; a loaded profile replaces earlier values', async () => {
    const { chat } = await new ChatRoom().open([]);
    await run('/set compression-threshold 0.6', chat);
    await run('/set compression.strategy top-down-truncation', chat);
    await run('/profile save tight', chat);
    await expect(run('/profile save tight', chat)).rejects.toMatchObject({ code: 'PROFILE_EXISTS' });
    await run('/profile save tight --force', chat);
    await run('/set compression-threshold 0.9', chat);
    expect(await run('/profile load tight', chat)).toMatchObject({ kind: 'settings' });
    expect(settingOf(chat, 'compression-threshold')).toMatchObject({
      value: 0.6,
      origin: { kind: 'profile', name: 'tight' },
    });
    expect(await run('/profile list', chat)).toMatchObject({
      profiles: [{ name: 'recommended' }, { name: 'specification' }, { name: 'tight' }],
    });
    await run('/set unset compression.profile', chat);
    await run('/profile delete tight', chat);
    await expect(run('/profile load tight', chat)).rejects.toMatchObject({ code: 'PROFILE_UNKNOWN' });
    await expect(run('/profile lode tight', chat)).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('the other commands', () => {
  test('/compress and /undo say what they did, with the tokens before and after', async () => {
    const room = new ChatRoom({ 'long.txt': 'word '.repeat(3000) });
    const { chat } = await room.open([
      [call('c1', 'read_file', { file_path: 'long.txt' })],
      [text('Read.')],
      [text('B.')],
    ]);
    for (const words of ['Read it.', 'A?']) await chat.say(words, NEVER);
    const compressed = await run('/compress high-density', chat);
    if (compressed.kind !== 'compressed') throw new Error('expected a compression');
    expect(compressed.outcome.kind).toBe('compressed');
    expect(compressed.tokensAfter).toBeLessThan(compressed.tokensBefore / 2);
    expect(await run('/undo', chat)).toMatchObject({
      restoration: { kind: 'restored' },
      tokensBefore: compressed.tokensAfter,
      tokensAfter: compressed.tokensBefore,
    });
    expect(await run('/undo', chat)).toMatchObject({ restoration: { kind: 'nothing-to-restore' } });
    await expect(run('/compress middle', chat)).rejects.toMatchObject({ code: 'UNKNOWN_STRATEGY' });
    expect(chat.status().strategy).toBe('high-density');
  });

  test('/context adds up to the whole, by speaker, tool and file', async () => {
    const room = new ChatRoom({ 'src/a.ts': 'word '.repeat(500), 'b.ts': 'word '.repeat(50) });
    const { chat } = await room.open([
      [call('c1', 'read_file', { file_path: 'src/a.ts' }), call('c2', 'read_file', { file_path: 'b.ts' })],
      [text('Read.')],
    ]);
    await chat.say('Read them.', NEVER);
    const outcome = await run('/context', chat);
    if (outcome.kind !== 'context') throw new Error('expected the context');
    const { bySpeaker, byTool, byFile } = outcome.shares;
    const sum = bySpeaker.reduce((all, { tokens }) => all + tokens, 0);
    expect(Math.abs(sum - outcome.status.tokens)).toBeLessThanOrEqual(bySpeaker.length);
    expect(bySpeaker.map(({ name }) => name)).toContain('instructions and tools');
    expect(byTool.map(({ name }) => name)).toEqual(['read_file']);
    expect(byFile.map(({ name }) => name)).toEqual(['src/a.ts', 'b.ts']);
  });

  test('/todos shows the list, /stats the session in numbers, /model the model', async () => {
    const todos = [{ content: 'Look', status: 'pending' }];
    const { chat } = await new ChatRoom().open([[call('t', 'todo_write', { todos })], [text('Noted.')]]);
    await chat.say('Plan.', NEVER);
    expect(await run('/todos', chat)).toEqual({ kind: 'todos', todos });
    expect(await run('/stats', chat)).toMatchObject({
      kind: 'stats',
      entries: 4,
      path: chat.session.log.path,
    });
    expect(await run('/model gpt-4.1', chat)).toEqual({
      kind: 'said',
      lines: ['The model is gpt-4.1 of scripted.'],
    });
    expect(chat.status().limitTokens).toBeGreaterThan(1_000_000);
  });

  test('/save hides secrets unless told not to, and replaces no file', async () => {
    const room = new ChatRoom();
    const secret = ['sk-', 'ant-api03-', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9'].join('');
    const { chat } = await room.open([[text(`Use ${secret}.`)]]);
    await chat.say(`The key is ${secret}`, NEVER);
    const read = (name: string): string => readFileSync(path.join(room.root, name), 'utf8');
    expect(await run('/save shared.jsonl', chat)).toMatchObject({
      lines: [expect.stringContaining('2 secrets hidden')],
    });
    expect(read('shared.jsonl')).not.toContain(secret);
    expect(read('shared.jsonl')).toContain('Use [hidden API key].');
    await expect(run('/save shared.jsonl', chat)).rejects.toMatchObject({ code: 'OUTPUT_EXISTS' });
    await run('/save --no-redact whole.jsonl', chat);
    expect(read('whole.jsonl')).toContain(secret);
  });

  test('/clear starts a new session and /resume returns to the old one', async () => {
    const room = new ChatRoom();
    const { chat } = await room.open([[text('Hi.')], [text('Hi again.')], [text('Back.')]]);
    await chat.say('First.', NEVER);
    const first = chat.session.log.id;
    expect(await run('/clear', chat)).toMatchObject({
      lines: ['New session.', `/resume ${first} returns to the old one.`],
    });
    expect(chat.session.history.isEmpty()).toBe(true);
    await chat.say('Second.', NEVER);
    expect(await run('/resume', chat)).toMatchObject({ kind: 'sessions', sessions: [{}, {}] });
    await expect(run('/resume nope', chat)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
    await run(`/resume ${first}`, chat);
    await chat.ready;
    expect(chat.session.history.getLastUserContent()?.blocks).toEqual([{ type: 'text', text: 'First.' }]);
  });

  test('every command has a line of help, and a wrong name gets the nearest one', async () => {
    const { chat } = await new ChatRoom().open([]);
    expect(await run('/', chat)).toMatchObject({ kind: 'help', commands: SLASH_COMMANDS });
    for (const { help } of SLASH_COMMANDS) expect(help).toMatch(/^[a-z].{1,50}[^.]$/);
    await expect(run('/contxt', chat)).rejects.toThrow('Did you mean `/context`?');
    expect(await run('/quit', chat)).toEqual({ kind: 'quit' });
    expect(['/set a b', '/', '/?', '/quit'].every(isSlashCommand)).toBe(true);
    expect(['/etc/hosts is what?', 'a /set', '//'].some(isSlashCommand)).toBe(false);
  });
});

describe('completion', () => {
  test.each([
    ['/se', ['/set', '/settings'], 0],
    [
      '/set compression.density.r',
      [
        'compression.density.readWritePruning',
        'compression.density.recencyPruning',
        'compression.density.recencyRetention',
        'compression.density.resultCalls',
        'compression.density.reportCalls',
        'compression.density.repeatedLines',
      ],
      5,
    ],
    ['/set compression.strategy h', ['high-density'], 26],
    ['/set compression.density.fileDedupe ', ['true', 'false'], 36],
    ['/set unset compression.e', ['compression.engine'], 11],
    ['/compress t', ['top-down-truncation'], 10],
    ['/profile l', ['load', 'list'], 9],
    ['Look at @src/', ['@src/a.ts', '@src/deep/'], 8],
    ['Look at @../', [], 8],
    ['hello', [], 0],
  ])('of %j', async (line, candidates, start) => {
    const { chat } = await new ChatRoom({ 'src/a.ts': '', 'src/deep/b.ts': '' }).open([]);
    expect(await completions(line, chat)).toEqual({ start, candidates });
  });

  test('offers every setting', async () => {
    const { chat } = await new ChatRoom().open([]);
    const { candidates } = await completions('/set ', chat);
    expect(candidates).toEqual(['unset', ...SETTINGS_REGISTRY.map(({ key }) => key)]);
  });
});

describe('/show', () => {
  test('shows what a step removed while the archive was on, with keys hidden', async () => {
    const room = new ChatRoom();
    const archive = new BlockArchive(path.join(room.home, 'archive'));
    const { chat } = await room.open([[text('Yes.')], [text('No.')], [text('So.')]], { archive });
    expect(await run('/show', chat)).toMatchObject({
      kind: 'said',
      lines: [expect.stringContaining('/set')],
    });
    for (const words of [`Keep sk-ant-api03-${'aB3dE5gH7jK9'.repeat(8)} in mind.`, 'And?', 'So?']) {
      await chat.say(words.padEnd(900, ' word'), NEVER);
    }
    await run('/compress top-down-truncation', chat);
    expect(await archive.list()).toEqual([]);
    await run('/undo', chat);
    await run('/set compression.density.archive true', chat);
    await run('/set context-limit 300', chat);
    await run('/compress top-down-truncation', chat);
    const kept = await archive.list();
    expect(kept.length).toBeGreaterThan(0);
    const listed = await run('/show', chat);
    expect(listed.kind === 'said' && listed.lines).toHaveLength(kept.length);
    const shown = await Promise.all(kept.map(({ hash }) => run(`/show ${hash.slice(0, 12)}`, chat)));
    const lines = shown.flatMap((outcome) => (outcome.kind === 'said' ? outcome.lines : [])).join('\n');
    expect(lines).toContain('[hidden');
    expect(lines).not.toContain('aB3dE5gH7jK9');
    await expect(run('/show 00zz', chat)).rejects.toMatchObject({ code: 'ARCHIVE_UNKNOWN' });
  });

  test('where the archive is full, the chat goes on and says once where removed text is', async () => {
    const room = new ChatRoom();
    const archive = new BlockArchive(path.join(room.home, 'archive'), { mostBytes: 10 });
    await archive.keep([{ type: 'text', text: 'more than the limit' }]);
    await archive.makeRoom();
    const settings = { 'compression.density.archive': true };
    const { chat } = await room.open([[text('Yes.')], [text('No.')], [text('So.')]], { archive, settings });
    for (const words of ['Keep it in mind.', 'And?', 'So?']) await chat.say(words.padEnd(900, ' word'), NEVER);
    await run('/set context-limit 300', chat);
    for (const line of ['/compress top-down-truncation', '/undo', '/compress top-down-truncation']) {
      const tokens = chat.status().tokens;
      await run(line, chat);
      expect(chat.status().tokens).not.toBe(tokens);
    }
    const full = room.notices.filter((notice) => notice.includes('density archive --delete'));
    expect(full).toEqual([expect.stringMatching(/in the file of this session only\.$/)]);
    expect(await archive.list()).toHaveLength(1);
  });

  test('says if a chat has no archive', async () => {
    const { chat } = await new ChatRoom().open([]);
    await expect(run('/show', chat)).rejects.toMatchObject({ code: 'ARCHIVE_UNKNOWN' });
  });
});
