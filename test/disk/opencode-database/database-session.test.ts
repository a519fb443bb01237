import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { databaseSessions } from '../../../src/disk/opencode-database/database-session.ts';
import { importableSession } from '../../../src/disk/opencode-database/importable-session.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, joinLines } from '../../../src/formats/lines/lines.ts';
import { opencode } from '../../../src/formats/opencode/opencode.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
import { historyOf, spoken } from '../../contracts/format.ts';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because a process of its own runs it.
import { addMessage, addSession, newDatabase } from '../../fixtures/opencode-database.mjs';
import { opencodeSample, SESSION } from '../../formats/opencode-fixture.ts';

/** What happens to a file right after it was copied. */
let afterCopy: ((from: string, to: string) => void) | undefined;
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const copyFileSync: typeof real.copyFileSync = (from, to, mode) => {
    real.copyFileSync(from, to, mode);
    afterCopy?.(String(from), String(to));
  };
  return { ...real, copyFileSync };
});

const folder = mkdtempSync(path.join(tmpdir(), 'density-database-'));
const copies = path.join(folder, 'tmp');
mkdirSync(copies);
vi.stubEnv('TMPDIR', copies);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  afterCopy = undefined;
  expect(readdirSync(copies)).toEqual([]);
});

interface Exported {
  readonly info: { readonly id: string; readonly title: string };
  readonly messages: { info: { id: string; sessionID: string }; parts: { id: string; text?: string }[] }[];
}

let databases = 0;
const newFile = (): string => path.join(folder, `opencode-${databases++}.db`);
/** A database with the messages of an export, open, so that they are in its log alone. */
function databaseOf(text: string): { file: string; close: () => void } {
  const file = newFile();
  const database = newDatabase(file);
  addSession(database, { id: SESSION });
  for (const [index, message] of (JSON.parse(text) as Exported).messages.entries())
    addMessage(database, message, index);
  return { file, close: () => database.close() };
}

const documentOf = (file: string): Exported => JSON.parse(decode(joinLines(fileBytes(file).chunks()))) as Exported;
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code: 'SESSION_UNREADABLE' });
    return (error as Error).message;
  }
  return 'nothing was thrown';
};

describe('a session in the database of opencode', () => {
  test('is read as its export, while the database is open and all is in its log', () => {
    for (const text of opencodeSample.texts) {
      const { file, close } = databaseOf(text);
      const before = [file, `${file}-wal`].map((one) => [readFileSync(one), statSync(one).mtimeMs]);
      const bytes = fileBytes(`${file}#${SESSION}`);
      const read = readSession(bytes);
      expect(read.format.name).toBe('opencode');
      expect(read.session.id).toBe(SESSION);
      const wanted = JSON.parse(text) as Record<string, unknown>;
      const { revert: _revert, ...info } = wanted['info'] as Record<string, unknown>;
      const unreverted = JSON.stringify({ ...wanted, info });
      expect(spoken(liveHistory(read.session))).toEqual(spoken(historyOf(opencode, unreverted)));
      expect(documentOf(file).messages).toEqual(wanted['messages']);
      expect(joinLines(bytes.chunks()).length).toBe(bytes.sizeBytes);
      expect([file, `${file}-wal`].map((one) => [readFileSync(one), statSync(one).mtimeMs])).toEqual(before);
      close();
    }
  });

  test('is as large as its provider counted the last answer, which is no summary', () => {
    const file = newFile();
    const database = newDatabase(file);
    const sessionID = 'ses_counted';
    addSession(database, { id: sessionID });
    const answer = (created: number, more: object): void =>
      addMessage(database, {
        info: { id: `msg_${created}`, sessionID, role: 'assistant', time: { created }, ...more },
        parts: [],
      });
    const tokens = (input: number, output = 4) => ({ input, output, reasoning: 3, cache: { read: 100, write: 20 } });
    const reported = (): unknown => databaseSessions(file).map(({ reportedTokens }) => reportedTokens);
    expect(reported()).toEqual([undefined]);
    answer(1, { tokens: tokens(10) });
    answer(2, { tokens: tokens(5) });
    answer(3, { tokens: tokens(0, 0) });
    expect(reported()).toEqual([132]);
    answer(4, { tokens: tokens(7), summary: true });
    expect(reported()).toEqual([undefined]);
    database.close();
  });

  test('is the newest where none is named; those of sub-agents belong to their parents', () => {
    const file = newFile();
    const database = newDatabase(file);
    addSession(database, { id: 'ses_old', title: 'Old', updated: 5 });
    addSession(database, { id: 'ses_new', title: 'New', updated: 7 });
    addSession(database, { id: 'ses_child', parent: 'ses_old', updated: 8 });
    addSession(database, { id: 'ses_grandchild', parent: 'ses_child', updated: 9 });
    addSession(database, { id: 'ses_orphan', parent: 'ses_gone', updated: 1 });
    for (const sessionID of ['ses_old', 'ses_grandchild'])
      addMessage(database, {
        info: { id: `msg_${sessionID}`, sessionID, role: 'user', time: { created: 1 } },
        parts: [],
      });
    const listed = databaseSessions(file);
    expect(listed.map(({ id, subAgents }) => [id, subAgents])).toEqual([
      ['ses_new', 0],
      ['ses_old', 2],
      ['ses_orphan', 0],
    ]);
    expect(listed[1]!.totalBytes).toBe(2 * listed[1]!.sizeBytes);
    expect(listed[1]!.sizeBytes).toBeGreaterThan(0);
    expect(fileBytes(file).path).toBe(`${file}#ses_new`);
    expect(documentOf(`${file}#ses_grandchild`).messages).toHaveLength(1);
    const message = messageOf(() => fileBytes(`${file}#ses_nowhere`));
    expect(message).toContain('ses_nowhere');
    expect(message).toContain('The newest of 3: ses_new ("New")');
    database.close();
  });

  test('is consistent in each of 60 reads and more beside a process that writes', async () => {
    const file = newFile();
    const writer: ChildProcess = spawn(process.execPath, ['test/fixtures/opencode-writer.mjs', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit').then(() => Promise.reject(new Error('the writer ended')));
    await Promise.race([once(writer.stdout!, 'data'), ended]);
    const titles = new Set<string>();
    for (let read = 0; read < 60 || titles.size <= 20; read++) {
      const { info, messages } = documentOf(`${file}#ses_written`);
      titles.add(info.title);
      if (info.title === 'cleared') expect(messages).toEqual([]);
      else expect(Number(messages.at(-1)!.info.id.slice(4))).toBe(Number(info.title));
      const first = Number(messages[0]?.info.id.slice(4));
      expect(messages.map(({ info: { id } }) => Number(id.slice(4)) - first)).toEqual([...messages.keys()]);
      for (const {
        parts,
        info: { id },
      } of messages)
        expect(parts.map(({ text }) => text)).toEqual(Array(3).fill(`${Number(id.slice(4))} `.repeat(300)));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    writer.kill('SIGKILL');
    await expect(ended).rejects.toThrow('ended');
  });

  test('is copied again when its pages move meanwhile, and given up when they always do', () => {
    const { file, close } = databaseOf(opencodeSample.texts[0]!);
    let moves = 3;
    let copied = 0;
    afterCopy = (from) => {
      copied++;
      if (from === file && moves-- > 0) utimesSync(file, new Date(), new Date(Date.now() + moves * 1000));
    };
    expect(documentOf(file).messages.length).toBeGreaterThan(0);
    expect(copied).toBe(8);
    afterCopy = () => utimesSync(file, new Date(), new Date(Date.now() + copied++ * 1000));
    expect(messageOf(() => fileBytes(file))).toMatch(/stand still.*changed each time it was copied \(20 times\)/);
    close();
  });

  test('is copied again when its log restarts meanwhile', () => {
    const { file, close } = databaseOf(opencodeSample.texts[0]!);
    const log = readFileSync(`${file}-wal`);
    let copied = 0;
    afterCopy = (from) => {
      if (from !== file || copied++ > 0) return;
      const restarted = Buffer.from(log);
      restarted.writeUInt32BE(log.readUInt32BE(16) + 1, 16);
      writeFileSync(`${file}-wal`, restarted);
    };
    // The restarted log has no valid frame, so only the file is read.
    expect(messageOf(() => fileBytes(file))).toContain('is of another program');
    expect(copied).toBe(2);
    writeFileSync(`${file}-wal`, log);
    expect(documentOf(file).messages.length).toBeGreaterThan(0);
    close();
  });

  test('is copied for its owner alone', () => {
    const { file, close } = databaseOf(opencodeSample.texts[0]!);
    const modes: number[] = [];
    afterCopy = () => {
      for (const name of readdirSync(copies)) modes.push(statSync(path.join(copies, name)).mode & 0o777);
    };
    fileBytes(file);
    expect(new Set(modes)).toEqual(new Set([0o700]));
    close();
  });
});

describe('a file that is no database of opencode', () => {
  test('but one of another program says so', () => {
    const file = newFile();
    const database = new sqlite.Database(file);
    database.exec('create table bookmarks (url text)');
    database.close();
    expect(messageOf(() => fileBytes(file))).toContain('it holds the tables bookmarks');
    expect(messageOf(() => databaseSessions(file))).toContain(file);
  });

  test('but a broken one, cut anywhere, gets a clear error or is read', () => {
    const { file, close } = databaseOf(opencodeSample.texts[0]!);
    close();
    const whole = readFileSync(file);
    const document = documentOf(file);
    let errors = 0;
    for (const size of [100, 4096, 8192, Math.floor(whole.length / 2), whole.length - 1]) {
      const cut = newFile();
      writeFileSync(cut, whole);
      truncateSync(cut, size);
      const message = messageOf(() => expect([size, documentOf(cut)]).toEqual([size, document]));
      if (message === 'nothing was thrown') continue;
      expect(message).toContain(cut);
      errors++;
    }
    expect(errors).toBeGreaterThan(2);
    const garbled = newFile();
    writeFileSync(garbled, Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)]));
    expect(messageOf(() => fileBytes(garbled))).toContain(garbled);
    expect(messageOf(() => fileBytes(`${newFile()}#${SESSION}`))).toContain('no such file');
  });

  test('names the row that is no JSON', () => {
    const file = newFile();
    const database = newDatabase(file);
    addSession(database, { id: SESSION });
    database.run('insert into message values (?,?,?,?,?)', ['msg_bad', SESSION, 1, 1, '{"role":']);
    database.close();
    expect(messageOf(() => fileBytes(file))).toContain('msg_bad');
  });

  test('but text of that name is read as text', () => {
    const file = newFile();
    writeFileSync(file, 'words');
    expect(joinLines(fileBytes(file).chunks()).length).toBe(5);
  });
});

test('a session that is to be imported has new ids in the same order, and all else', () => {
  for (const text of opencodeSample.texts) {
    const document = importableSession(Buffer.from(text), 'seed');
    const before = JSON.parse(text) as Exported;
    const after = JSON.parse(decode(document)) as Exported;
    const ids = ({ info, messages }: Exported): string[] => [
      info.id,
      ...messages.flatMap((message) => [message.info.id, ...message.parts.map(({ id }) => id)]),
    ];
    expect(new Set([...ids(before), ...ids(after)]).size).toBe(2 * new Set(ids(before)).size);
    const order = (all: string[]): number[] => [...all.keys()].sort((one, other) => (all[one]! < all[other]! ? -1 : 1));
    expect(order(ids(after))).toEqual(order(ids(before)));
    expect(after.info.title).toBe(`${before.info.title} (smaller)`);
    expect(spoken(historyOf(opencode, decode(document)))).toEqual(spoken(historyOf(opencode, text)));
    expect(importableSession(Buffer.from(text), 'seed')).toEqual(document);
    expect(importableSession(Buffer.from(text), 'other')).not.toEqual(document);
  }
});
