import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indentedJson, type PersistOptions, persistMessages } from '../../src/compaction/persist.ts';
import { runs } from '../property-runs.ts';
import { conversation, memoryWriter, recordingLogger, temporaryFolder } from './fixtures.ts';

const NOW = new Date('2026-02-19T10:20:30.456Z');
const messages = conversation('a.ts');

const options = (outputDir: string, more: Partial<PersistOptions> = {}): PersistOptions => ({
  outputDir,
  sessionId: 'default',
  fileWriter: undefined,
  logger: undefined,
  signal: new AbortController().signal,
  now: NOW,
  ...more,
});

describe('persistMessages (F-007)', () => {
  test('indented JSON of the messages, in a file named after session, time and sequence; folders are made', async () => {
    const folder = await temporaryFolder();
    const kept = await persistMessages(messages, options(path.join(folder, 'deep', 'er'), { sessionId: 's-1' }));
    expect(kept?.path).toBe(path.join(folder, 'deep', 'er', 's-1', 'compact-2026-02-19T10-20-30Z-1.json'));
    expect(await readFile(kept?.path ?? '', 'utf8')).toBe(JSON.stringify(messages, null, 2));
  });

  test('the file is for its owner alone, and nothing else is left in the folder (4.2)', async () => {
    const folder = await temporaryFolder();
    const kept = await persistMessages(messages, options(path.join(folder, 'out')));
    expect((await stat(kept?.path ?? '')).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(folder, 'out', 'default'))).mode & 0o777).toBe(0o700);
    expect(await readdir(path.join(folder, 'out', 'default'))).toEqual(['compact-2026-02-19T10-20-30Z-1.json']);
  });

  test('nothing but the messages is written: no key, no option, no prompt (4.2)', async () => {
    const writer = memoryWriter();
    await persistMessages(messages, options('out', { fileWriter: writer }));
    expect(JSON.parse([...writer.files.values()][0] ?? '')).toEqual(messages);
  });

  test('two in one second differ by their sequence, which counts from 1 in each session', async () => {
    const folder = await temporaryFolder();
    const names: string[] = [];
    for (const sessionId of ['a', 'a', 'b', 'a']) {
      names.push((await persistMessages(messages, options(folder, { sessionId })))?.path ?? '');
    }
    expect(names.map((name) => path.relative(folder, name))).toEqual([
      'a/compact-2026-02-19T10-20-30Z-1.json',
      'a/compact-2026-02-19T10-20-30Z-2.json',
      'b/compact-2026-02-19T10-20-30Z-1.json',
      'a/compact-2026-02-19T10-20-30Z-3.json',
    ]);
  });

  test('fifty at once get fifty files, none half-written', async () => {
    const folder = await temporaryFolder();
    const kept = await Promise.all(Array.from({ length: 50 }, () => persistMessages(messages, options(folder))));
    expect(new Set(kept.map((one) => one?.path)).size).toBe(50);
    const names = await readdir(path.join(folder, 'default'));
    expect(names).toHaveLength(50);
    for (const name of names) {
      expect(JSON.parse(await readFile(path.join(folder, 'default', name), 'utf8'))).toEqual(messages);
    }
  });

  test('an existing file is never replaced', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'default'));
    const taken = path.join(folder, 'default', 'compact-2026-02-19T10-20-30Z-7.json');
    await writeFile(taken, 'theirs');
    expect((await persistMessages(messages, options(folder)))?.path).toMatch(/-8\.json$/);
    expect(await readFile(taken, 'utf8')).toBe('theirs');
  });

  test('a writer of the caller gets path and text, with a new name each time, also after `EEXIST`', async () => {
    const writer = memoryWriter();
    await persistMessages(messages, options('.compact', { fileWriter: writer }));
    await persistMessages(messages, options('.compact', { fileWriter: writer }));
    expect([...writer.files.keys()]).toEqual([
      '.compact/default/compact-2026-02-19T10-20-30Z-1.json',
      '.compact/default/compact-2026-02-19T10-20-30Z-2.json',
    ]);
    const asked: string[] = [];
    const full = {
      async write(file: string) {
        asked.push(file);
        if (asked.length < 3) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
      },
    };
    expect((await persistMessages(messages, options('full', { fileWriter: full })))?.path).toMatch(/-3\.json$/);
  });

  test('a write that fails is logged and gives undefined (F-007, scenario: write fails)', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'file'), '');
    const logger = recordingLogger();
    const blocked = options(path.join(folder, 'file'), { logger });
    expect(await persistMessages(messages, blocked)).toBeUndefined();
    const failing = { write: () => Promise.reject(new Error('disk full')) };
    expect(await persistMessages(messages, options('out', { fileWriter: failing, logger }))).toBeUndefined();
    expect(logger.at('error')).toHaveLength(2);
  });

  test.each(['../../etc', '..', '.', '/abs', 'a/b', 'a\\b', '', 'Ünïcode ok', 'x'.repeat(500)])(
    'session %j is one folder in the output folder',
    async (sessionId) => {
      const folder = await temporaryFolder();
      const kept = await persistMessages(messages, options(folder, { sessionId: sessionId || ' ' }));
      expect(path.dirname(path.dirname(kept?.path ?? ''))).toBe(folder);
    },
  );

  test('messages that JSON cannot contain are logged, not thrown', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const logger = recordingLogger();
    const list = [
      {
        role: 'assistant' as const,
        content: [{ type: 'tool_use' as const, id: 'a', name: 'read_file', input: circular }],
      },
    ];
    const folder = await temporaryFolder();
    expect(await persistMessages(list, options(folder, { logger }))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
    expect(logger.at('error')).toHaveLength(1);
  });

  test('a kept file can be removed again', async () => {
    const folder = await temporaryFolder();
    const kept = await persistMessages(messages, options(folder));
    await kept?.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  test('a discarded file leaves no folder that was made for it, and those that were there (docs/readings.md, row 44)', async () => {
    const folder = await temporaryFolder();
    const output = path.join(folder, 'deep', 'er');
    const one = await persistMessages(messages, options(output));
    const other = await persistMessages(messages, options(output));
    await one?.discard();
    expect(await readdir(path.join(output, 'default'))).toHaveLength(1);
    await other?.discard();
    expect(await readdir(folder)).toEqual([]);
    await mkdir(path.join(folder, 'default'));
    await (await persistMessages(messages, options(folder)))?.discard();
    expect(await readdir(folder)).toEqual(['default']);
  });

  test('three writers in one second never share a path (docs/readings.md, row 44)', async () => {
    const paths = await Promise.all(
      [memoryWriter(), memoryWriter(), memoryWriter()].map(
        async (fileWriter) => (await persistMessages(messages, options('three', { fileWriter })))?.path,
      ),
    );
    expect(new Set(paths).size).toBe(3);
  });

  test('an aborted signal ends it with the reason', async () => {
    const stuck = { write: () => new Promise<void>(() => {}) };
    const controller = new AbortController();
    const writing = persistMessages(messages, options('out', { fileWriter: stuck, signal: controller.signal }));
    controller.abort(new Error('enough'));
    await expect(writing).rejects.toThrow('enough');
  });

  test('the pieces are what JSON.stringify gives for the whole list', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ role: fc.constant('user' as const), content: fc.string() })), (list) => {
        expect([...indentedJson(list)].join('')).toBe(JSON.stringify(list, null, 2));
      }),
    );
    expect([...indentedJson(messages)].join('')).toBe(JSON.stringify(messages, null, 2));
  });

  test('long texts are written in pieces, with the same result', () => {
    const texts = fc.tuple(fc.nat(4), fc.constantFrom('😀', 'a', '"\n\\', '\uD83D', '漢')).map(([shift, text]) => {
      return 'x'.repeat(shift) + text.repeat(70_000);
    });
    fc.assert(
      fc.property(texts, texts, (one, two) => {
        const result = { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: one }] };
        const list = [{ role: 'user' as const, content: [result, { type: 'text', text: two }] }];
        const pieces = [...indentedJson(list)];
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(500_000);
        expect(pieces.join('') === JSON.stringify(list, null, 2)).toBe(true);
      }),
      { numRuns: runs(20) },
    );
  });
});
