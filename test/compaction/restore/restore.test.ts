import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { FileReader, Message, RestoreOptions } from '../../../src/compaction/contract.ts';
import { restoreRecentFiles } from '../../../src/compaction/restore/restore.ts';
import { workspaceReader } from '../../../src/compaction/restore/workspace-reader.ts';
import { conversation, memoryReader, readOf, recordingLogger, temporaryFolder } from '../fixtures.ts';

const WORK = '/nowhere/project';

const options = (fileReader: FileReader, more: Partial<RestoreOptions> = {}): RestoreOptions => ({
  maxRestoreFiles: 5,
  maxRestoreTokensPerFile: 5_000,
  maxRestoreTokensTotal: 50_000,
  workDir: WORK,
  fileReader,
  ...more,
});

/** The names in the restored messages, in order. */
const names = (messages: readonly { readonly content: string }[]): string[] =>
  messages.map(({ content }) => /^\[Restored after compact\] (.*?):\n/.exec(content)?.[1] ?? '?');

describe('restoreRecentFiles: which files (F-005)', () => {
  const files = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`${WORK}/${index}.ts`, `const n = ${index};`]),
  );

  test('a restored file is one user message with path and content (F-005, output; F-005.7)', async () => {
    const restored = await restoreRecentFiles(conversation('1.ts'), options(memoryReader(files)));
    expect(restored.messages).toEqual([{ role: 'user', content: '[Restored after compact] 1.ts:\nconst n = 1;' }]);
    expect(restored.totalTokens).toBeGreaterThan(0);
  });

  test('the most recently read file is first (F-005.4)', async () => {
    const restored = await restoreRecentFiles(conversation('1.ts', '2.ts', '3.ts'), options(memoryReader(files)));
    expect(names(restored.messages)).toEqual(['3.ts', '2.ts', '1.ts']);
  });

  test('a file that is read again counts once, at its last place (F-005.3, boundary: read several times)', async () => {
    const reader = memoryReader(files);
    const restored = await restoreRecentFiles(conversation('1.ts', '2.ts', '1.ts', '3.ts'), options(reader));
    expect(names(restored.messages)).toEqual(['3.ts', '1.ts', '2.ts']);
    expect(reader.reads).toHaveLength(3);
  });

  test('five files by default, or as many as asked for (F-005.5)', async () => {
    const messages = conversation('1.ts', '2.ts', '3.ts', '4.ts', '5.ts', '6.ts', '7.ts');
    const five = await restoreRecentFiles(messages, options(memoryReader(files)));
    expect(names(five.messages)).toEqual(['7.ts', '6.ts', '5.ts', '4.ts', '3.ts']);
    const two = await restoreRecentFiles(messages, options(memoryReader(files), { maxRestoreFiles: 2 }));
    expect(names(two.messages)).toEqual(['7.ts', '6.ts']);
  });

  test('only `read_file` calls of the assistant count, by the key `path` (F-005.1, F-005.2, F-005.3)', async () => {
    const reader = memoryReader(files);
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: '1.ts' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'read_file 2.ts' },
          { type: 'tool_use', id: 'b', name: 'write_file', input: { path: '2.ts' } },
          { type: 'tool_use', id: 'c', name: 'read_file', input: { file_path: '3.ts' } },
          { type: 'tool_use', id: 'd', name: 'read_file', input: { path: '4.ts' } },
        ],
      },
      { role: 'assistant', content: 'I called read_file.' },
    ];
    expect(names((await restoreRecentFiles(messages, options(reader))).messages)).toEqual(['4.ts']);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', '1.ts'],
    ['a list', ['1.ts']],
    ['a path that is a number', { path: 5 }],
    ['an empty path', { path: '' }],
    ['an inherited path', Object.create({ path: '1.ts' })],
  ])('a call whose input is %s names no file', async (_, input) => {
    const reader = memoryReader(files);
    const messages: Message[] = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input }] },
    ];
    expect(await restoreRecentFiles(messages, options(reader))).toEqual({ messages: [], totalTokens: 0 });
    expect(reader.reads).toEqual([]);
  });

  test('other tools by option, each with the keys of its path', async () => {
    const call = (name: string, input: unknown): Message => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id: name, name, input }],
    });
    const messages = [
      call('Read', { file_path: '1.ts' }),
      call('view', { path: '2.ts' }),
      call('read_file', { path: '3.ts' }),
    ];
    const readTools = { Read: 'file_path', view: ['file_path', 'path'] };
    const restored = await restoreRecentFiles(messages, options(memoryReader(files), { readTools }));
    expect(names(restored.messages)).toEqual(['2.ts', '1.ts']);
  });

  test('without a `read_file` call nothing is restored (F-005, scenario: no call; UC-002)', async () => {
    expect(await restoreRecentFiles(conversation(), options(memoryReader(files)))).toEqual({
      messages: [],
      totalTokens: 0,
    });
  });

  test('with `maxRestoreFiles` 0 nothing is restored and nothing is looked at (F-005, boundary)', async () => {
    const reader = memoryReader(files);
    const restored = await restoreRecentFiles(conversation('1.ts'), options(reader, { maxRestoreFiles: 0 }));
    expect(restored).toEqual({ messages: [], totalTokens: 0 });
    expect(reader.reads).toEqual([]);
  });

  test('an empty file is restored, with no tokens (F-005, boundary: empty content)', async () => {
    const restored = await restoreRecentFiles(conversation('e.ts'), options(memoryReader({ [`${WORK}/e.ts`]: '' })));
    expect(restored).toEqual({
      messages: [{ role: 'user', content: '[Restored after compact] e.ts:\n' }],
      totalTokens: 0,
    });
  });
});

describe('restoreRecentFiles: files with an error are skipped (F-005)', () => {
  test('a file that is missing is skipped with a warning, the others are restored (F-005, scenario: missing; UC-003)', async () => {
    const logger = recordingLogger();
    const reader = memoryReader({ [`${WORK}/1.ts`]: 'one' });
    const restored = await restoreRecentFiles(conversation('1.ts', 'gone.ts'), options(reader, { logger }));
    expect(names(restored.messages)).toEqual(['1.ts']);
    expect(logger.at('warn')).toEqual(['Not restored: gone.ts: it does not exist any more.']);
  });

  test('a file that cannot be read is skipped with a warning (F-005, scenario: read fails)', async () => {
    const logger = recordingLogger();
    const reader = memoryReader({ [`${WORK}/1.ts`]: 'one', [`${WORK}/2.ts`]: new Error('EACCES: permission denied') });
    const restored = await restoreRecentFiles(conversation('1.ts', '2.ts'), options(reader, { logger }));
    expect(names(restored.messages)).toEqual(['1.ts']);
    expect(logger.at('warn')).toEqual(['Not restored: 2.ts: it cannot be read (EACCES: permission denied).']);
  });

  test('a path outside `workDir` is skipped with a warning and never asked for (F-005.6, scenario: traversal; 4.2)', async () => {
    const logger = recordingLogger();
    const reader = memoryReader({ '/etc/passwd': 'root', '/nowhere/project-evil/a.ts': 'evil', [`${WORK}/1.ts`]: '1' });
    const messages = conversation('/etc/passwd', '../project-evil/a.ts', '/nowhere/project-evil/a.ts', '1.ts');
    const restored = await restoreRecentFiles(messages, options(reader, { logger }));
    expect(names(restored.messages)).toEqual(['1.ts']);
    expect(reader.reads).toEqual([`${WORK}/1.ts`]);
    expect(logger.at('warn')).toHaveLength(2);
    expect(logger.at('warn').join()).toContain(`it is not inside ${WORK}`);
  });
});

describe('restoreRecentFiles: three limits (F-005)', () => {
  const words = (count: number): string => 'word '.repeat(count);
  const files = {
    [`${WORK}/small.ts`]: words(10),
    [`${WORK}/large.ts`]: words(1_000),
    [`${WORK}/other.ts`]: words(11),
  };

  async function tokensOf(name: string): Promise<number> {
    return (await restoreRecentFiles(conversation(name), options(memoryReader(files)))).totalTokens;
  }

  test('a file over its limit is skipped, the others are restored; one at the limit is restored (F-005.6, UC-004)', async () => {
    const limit = await tokensOf('other.ts');
    const restored = await restoreRecentFiles(
      conversation('small.ts', 'other.ts', 'large.ts'),
      options(memoryReader(files), { maxRestoreTokensPerFile: limit }),
    );
    expect(names(restored.messages)).toEqual(['other.ts', 'small.ts']);
    const less = await restoreRecentFiles(
      conversation('small.ts', 'other.ts'),
      options(memoryReader(files), { maxRestoreTokensPerFile: limit - 1 }),
    );
    expect(names(less.messages)).toEqual(['small.ts']);
  });

  test('when all are over the limit nothing is restored (F-005, scenario: all too large)', async () => {
    const limits = { maxRestoreTokensPerFile: 3 };
    const restored = await restoreRecentFiles(
      conversation('small.ts', 'large.ts'),
      options(memoryReader(files), limits),
    );
    expect(restored).toEqual({ messages: [], totalTokens: 0 });
  });

  test('restoring stops before the file that would exceed the total (F-005.6)', async () => {
    const small = await tokensOf('small.ts');
    const other = await tokensOf('other.ts');
    const messages = conversation('small.ts', 'large.ts', 'other.ts');
    const fits = await restoreRecentFiles(
      conversation('small.ts', 'other.ts'),
      options(memoryReader(files), { maxRestoreTokensTotal: small + other }),
    );
    expect(fits.totalTokens).toBe(small + other);
    // The large one ends it: the small one after it is not restored although it would fit.
    const stopped = await restoreRecentFiles(
      messages,
      options(memoryReader(files), { maxRestoreTokensTotal: small + other }),
    );
    expect(names(stopped.messages)).toEqual(['other.ts']);
  });

  test('the three limits may be without an end', async () => {
    const none = Number.POSITIVE_INFINITY;
    const limits = { maxRestoreFiles: none, maxRestoreTokensPerFile: none, maxRestoreTokensTotal: none };
    const restored = await restoreRecentFiles(
      conversation('small.ts', 'large.ts', 'other.ts'),
      options(memoryReader(files), limits),
    );
    expect(restored.messages).toHaveLength(3);
  });
});

describe('restoreRecentFiles on disk', () => {
  async function workspace(): Promise<{ root: string; work: string }> {
    const root = await temporaryFolder();
    const work = path.join(root, 'repo');
    await mkdir(path.join(work, 'src'), { recursive: true });
    await mkdir(path.join(root, 'repo-evil'));
    await writeFile(path.join(root, 'repo-evil', 'secret.ts'), 'secret');
    await writeFile(path.join(work, 'src', 'a.ts'), 'const a = 1;\n');
    return { root, work };
  }

  async function restore(work: string, reads: readonly string[], more: Partial<RestoreOptions> = {}) {
    const logger = recordingLogger();
    const restored = await restoreRecentFiles(
      conversation(...reads),
      options(workspaceReader, { workDir: work, logger, maxRestoreFiles: 100, ...more }),
    );
    return { names: names(restored.messages), warnings: logger.at('warn'), restored };
  }

  test('relative, absolute and roundabout spellings of one file are one file', async () => {
    const { work } = await workspace();
    const spellings = ['src/a.ts', './src/a.ts', `${work}/src/a.ts`, 'src/../src/a.ts', 'src//a.ts'];
    expect((await restore(work, spellings)).names).toEqual(['src//a.ts']);
  });

  test('a link inside and what it leads to are one file', async () => {
    const { work } = await workspace();
    await symlink('a.ts', path.join(work, 'src', 'link.ts'));
    expect((await restore(work, ['src/a.ts', 'src/link.ts'])).names).toEqual(['src/link.ts']);
  });

  test('links that lead out, files and folders, are refused', async () => {
    const { root, work } = await workspace();
    await symlink(path.join(root, 'repo-evil', 'secret.ts'), path.join(work, 'file-link.ts'));
    await symlink('../repo-evil', path.join(work, 'folder-link'));
    await symlink(path.join(root, 'missing.ts'), path.join(work, 'dangling.ts'));
    await symlink('loop.ts', path.join(work, 'loop.ts'));
    const { names: restored, warnings } = await restore(work, [
      'file-link.ts',
      'folder-link/secret.ts',
      'dangling.ts',
      'loop.ts',
      'src/a.ts',
    ]);
    expect(restored).toEqual(['src/a.ts']);
    expect(warnings).toHaveLength(4);
  });

  test('a `workDir` that is a link means its target folder, under both names', async () => {
    const { root, work } = await workspace();
    const link = path.join(root, 'link');
    await symlink('repo', link);
    expect((await restore(link, ['src/a.ts'])).names).toEqual(['src/a.ts']);
    expect((await restore(link, [`${work}/src/a.ts`])).names).toEqual([`${work}/src/a.ts`]);
    expect((await restore(link, [`${root}/repo-evil/secret.ts`])).names).toEqual([]);
  });

  test('a name that starts like the folder is not inside it, a name that starts with dots is', async () => {
    const { root, work } = await workspace();
    await writeFile(path.join(work, '..env.ts'), 'dots');
    const reads = ['../repo-evil/secret.ts', `${root}/repo-evil/secret.ts`, `${work}-evil/secret.ts`, '..env.ts', '..'];
    expect((await restore(work, reads)).names).toEqual(['..env.ts']);
  });

  test('the folder in other letters is refused where letters matter, or is the same file', async () => {
    const { work } = await workspace();
    const shouted = path.join(path.dirname(work), 'REPO', 'src', 'a.ts');
    expect((await restore(work, [shouted])).names).toEqual([]);
    const { names: restored } = await restore(work, ['SRC/A.TS', 'src/a.ts']);
    expect(restored).toHaveLength(1);
  });

  test('directories, pipes, sockets and devices are refused without being opened', async () => {
    const { work } = await workspace();
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path.join(work, 'pipe')]);
    const server = createServer().listen(path.join(work, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { names: restored, warnings } = await restore(work, ['pipe', 'socket', 'src', '.', 'src/a.ts']);
    server.close();
    expect(restored).toEqual(['src/a.ts']);
    expect(warnings.join()).toMatch(/got a pipe.*|got a socket|got a directory/);
    expect(warnings).toHaveLength(4);
    expect((await restore('/dev', ['null', 'zero'])).warnings.join()).toContain('got a device');
  });

  test('binary files and bytes that are no UTF-8 are refused; a byte order mark and other alphabets are not', async () => {
    const { work } = await workspace();
    await writeFile(path.join(work, 'a.bin'), Buffer.from([65, 0, 66]));
    await writeFile(path.join(work, 'latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    await writeFile(path.join(work, 'cut.txt'), Buffer.from('日本').subarray(0, 5));
    await writeFile(path.join(work, 'mark.txt'), '\uFEFF日本語 🎉\r\n');
    const { restored, warnings } = await restore(work, ['a.bin', 'latin.txt', 'cut.txt', 'mark.txt']);
    expect(restored.messages.map(({ content }) => content)).toEqual([
      '[Restored after compact] mark.txt:\n\uFEFF日本語 🎉\r\n',
    ]);
    expect(warnings).toHaveLength(3);
  });

  test('a file far over its limit is not read through', async () => {
    const { work } = await workspace();
    // Sparse: reading it through would take a gigabyte.
    await writeFile(path.join(work, 'huge.log'), '');
    await truncate(path.join(work, 'huge.log'), 2 ** 34);
    const { names: restored, warnings } = await restore(work, ['huge.log', 'src/a.ts']);
    expect(restored).toEqual(['src/a.ts']);
    expect(warnings.join()).toMatch(/huge\.log: it cannot be read \(Expected at most [\d,]+ bytes/);
  });

  const isRoot = process.getuid?.() === 0;
  if (isRoot) console.log('Run by root, whom no permission stops: the test of a file without permission is skipped.');
  test.skipIf(isRoot)('a file without permission is refused', async () => {
    const { work } = await workspace();
    await chmod(path.join(work, 'src', 'a.ts'), 0);
    expect((await restore(work, ['src/a.ts'])).warnings.join()).toContain('EACCES');
  });

  test('paths that no file can have are refused', async () => {
    const { work } = await workspace();
    const reads = ['src/a.ts\0.png', 'x'.repeat(5_000), `${'y'.repeat(300)}/a.ts`, 'src/a.ts/b', '\uD800', 'src/a.ts'];
    expect((await restore(work, reads)).names).toEqual(['src/a.ts']);
  });

  test('a file that vanishes between the check and the read is skipped', async () => {
    const { work } = await workspace();
    const vanishing: FileReader = {
      exists: async () => true,
      read: (file, readOptions) => workspaceReader.read(`${file}.gone`, readOptions),
    };
    const { names: restored, warnings } = await restore(work, ['src/a.ts'], { fileReader: vanishing });
    expect(restored).toEqual([]);
    expect(warnings.join()).toContain('ENOENT');
  });

  test('a file that grows while it is read is measured by what was read, and never read without end', async () => {
    const { work } = await workspace();
    const file = path.join(work, 'src', 'a.ts');
    const growing: FileReader = {
      exists: workspaceReader.exists,
      async read(target, readOptions) {
        appendFileSync(file, 'word '.repeat(100));
        return workspaceReader.read(target, readOptions);
      },
    };
    const { restored } = await restore(work, ['src/a.ts'], { fileReader: growing, maxRestoreTokensPerFile: 50 });
    expect(restored.messages).toEqual([]);
  });

  test('a reader that never answers costs the deadline and no more; the other files are restored', async () => {
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const stuck: FileReader = {
      exists: async () => true,
      read(file) {
        if (!file.endsWith('stuck.ts')) return Promise.resolve('fine');
        onAsked();
        return new Promise(() => {});
      },
    };
    const logger = recordingLogger();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const restoring = restoreRecentFiles(conversation('1.ts', 'stuck.ts'), options(stuck, { logger }));
    await asked;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(logger.lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const restored = await restoring;
    vi.useRealTimers();
    expect(names(restored.messages)).toEqual(['1.ts']);
    expect(logger.at('warn')).toEqual(['Not restored: stuck.ts: reading it took too long.']);
  });

  test('files are read in parallel, each once (4.1)', async () => {
    let open = 0;
    let most = 0;
    const reads: string[] = [];
    const counting: FileReader = {
      exists: async () => true,
      async read(file) {
        reads.push(file);
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return 'text';
      },
    };
    await restoreRecentFiles(conversation('1.ts', '2.ts', '3.ts', '4.ts', '5.ts'), options(counting));
    expect(most).toBe(5);
    expect(new Set(reads).size).toBe(5);
    expect(reads).toHaveLength(5);
  });

  test('an aborted signal ends it with the reason', async () => {
    const controller = new AbortController();
    const reader: FileReader = {
      exists: async () => true,
      read: () => {
        controller.abort(new Error('enough'));
        return new Promise(() => {});
      },
    };
    await expect(restoreRecentFiles(readOf('a.ts'), options(reader, { signal: controller.signal }))).rejects.toThrow(
      'enough',
    );
  });
});
