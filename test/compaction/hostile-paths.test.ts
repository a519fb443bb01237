import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtFile } from '../built-file.ts';
import { temporaryFolder } from './fixtures.ts';

const RUN = path.resolve(import.meta.dirname, '../fixtures/compaction/hostile-run.mjs');
const TRACER = path.resolve(import.meta.dirname, '../fixtures/compaction/open-tracer.mjs');
const PATHS = 10_000;
const reader = await builtFile('src/compaction/restore/workspace-reader.ts');

/** A folder with links that lead out of it in every way, and secrets around it. */
async function trap(): Promise<string> {
  const root = await temporaryFolder();
  const work = path.join(root, 'repo');
  await mkdir(path.join(work, 'src', 'deep'), { recursive: true });
  for (const folder of ['repo-evil', 'outside', 'outside/src']) await mkdir(path.join(root, folder));
  for (const folder of ['repo-evil', 'outside', 'outside/src', '.']) {
    for (const name of ['a.ts', 'secret.txt']) await writeFile(path.join(root, folder, name), 'SECRET');
  }
  for (const name of ['a.ts', 'src/a.ts', 'src/b.ts', 'src/deep/a.ts', 'b.ts']) {
    await writeFile(path.join(work, name), 'allowed');
  }
  const links: readonly (readonly [string, string])[] = [
    ['../outside', 'out'],
    ['/', 'root'],
    ['out', 'chain'],
    ['loop', 'loop'],
    ['../gone', 'dangling'],
    ['.', 'self'],
    ['../outside/secret.txt', 'file-out'],
    ['../../outside', 'src/out'],
    ['/proc/self/environ', 'environ'],
    ['/etc', 'etc'],
  ];
  for (const [target, name] of links) await symlink(target, path.join(work, name));
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path.join(work, 'pipe')]);
  return work;
}

const isInside = (work: string, file: string): boolean => {
  const real = realpathSync(file);
  return file === real && real.startsWith(`${work}/`);
};

interface Outcome {
  readonly opened: readonly string[];
  readonly contents: readonly string[];
  readonly tried: number;
}

/** The C library asks how many processors there are and how much memory; no hostile path starts so. */
const OF_THE_RUNTIME = /^\/sys\/|^\/proc\/(?:meminfo|cpuinfo|stat|sys\/vm\/overcommit_memory)$/;

/** The paths of the system calls that open something, between the start and end calls of the run. */
function systemOpens(trace: string): string[] {
  const lines = trace.split('\n');
  const start = lines.findIndex((line) => line.includes('/density-fuzz-starts'));
  const end = lines.findLastIndex((line) => line.includes('/density-fuzz-ends'));
  expect(start).toBeGreaterThan(-1);
  expect(end).toBeGreaterThan(start);
  return lines
    .slice(start + 1, end)
    .flatMap((line) => /\bopen(?:at2?)?\((?:AT_FDCWD, )?"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? [])
    .filter((file) => !file.startsWith('/density-fuzz-') && !OF_THE_RUNTIME.test(file));
}

/** Without the filter in the kernel every system call would stop the process twice. */
const STRACE = ['-f', '--seccomp-bpf', '-s', '8192', '-e', 'trace=open,openat,openat2'];
const hasStrace = spawnSync('strace', [...STRACE, '-o', '/dev/null', 'true']).status === 0;
if (!hasStrace) console.log('strace cannot be used here: system calls are not traced, functions of node:fs are.');

describe(`${PATHS} hostile paths (F-005, scenario: traversal; 4.2)`, () => {
  test('nothing outside `workDir` is opened, by the functions that open files', async () => {
    const work = await trap();
    const output = execFileSync(process.execPath, ['--import', TRACER, RUN, work, String(PATHS), '1', reader.href], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const { opened, contents, tried }: Outcome = JSON.parse(output);
    expect(tried).toBe(PATHS);
    expect(opened.filter((file) => !isInside(work, file))).toEqual([]);
    expect(contents.filter((content) => !content.endsWith(':\nallowed'))).toEqual([]);
    // The paths are not all refused: otherwise this would prove nothing.
    expect(opened.length).toBeGreaterThan(100);
    expect(contents).toHaveLength(opened.length);
  });

  test.skipIf(!hasStrace)('nothing outside `workDir` is opened, by the system calls of the process', async () => {
    const work = await trap();
    const trace = path.join(path.dirname(work), 'trace');
    execFileSync('strace', [...STRACE, '-o', trace, process.execPath, RUN, work, String(PATHS), '2', reader.href], {
      maxBuffer: 1 << 28,
    });
    const opened = systemOpens(readFileSync(trace, 'utf8'));
    expect(opened.length).toBeGreaterThan(100);
    expect(opened.filter((file) => !isInside(work, file))).toEqual([]);
  });
});
