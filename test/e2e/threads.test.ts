import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Computer, EDITED, jsonLines, sessionText } from './density.ts';
import { ProbedBuild, sizesOn } from './probed-build.ts';

/** Part of the notice. */
const NOTICE = 'The main thread does the work';
const WORK_OF_A_SESSION = path.resolve(import.meta.dirname, '../fixtures/work-of-a-session.mjs');

/** What `test/fixtures/work-of-a-session.mjs` prints. */
interface Outcome {
  readonly did: readonly unknown[];
  readonly degraded: readonly string[];
  readonly stats: { readonly bytesCountedByCaller: number; readonly bytesCountedOnThreads: number };
}

async function workOfASession({ library, environment }: ProbedBuild): Promise<Outcome> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [WORK_OF_A_SESSION, library], { env });
  return JSON.parse(stdout) as Outcome;
}

const whole = await ProbedBuild.create();
const withoutWorkers = whole.withoutWorkers();

describe('with the offloaded engine', () => {
  const computer = new Computer();
  // Few entries, because a replay plays each; long ones, because threads prune only what is large.
  const LINE = /const \w+ = 1;\\n/g;
  const large = Array.from({ length: 25 }, (_, copy) =>
    JSON.parse(
      JSON.stringify(EDITED)
        .replaceAll('call-', `call-${copy}-`)
        .replaceAll(LINE, (line) => line.replace('const ', `const of${copy} `).repeat(10)),
    ),
  ).flat();
  const ids = large.map((entry, index) => ({ ...entry, metadata: { ...entry.metadata, id: `entry-${index}` } }));
  const session = computer.write('large.jsonl', sessionText([...ids, ...ids.map(renamed)]));

  /** The same entry with another id. */
  function renamed(entry: { metadata: { id: string } }) {
    return { ...entry, metadata: { ...entry.metadata, id: `again-${entry.metadata.id}` } };
  }

  test('optimize, compress and every count run on another thread', async () => {
    const { did, degraded, stats } = await workOfASession(whole);
    const work = whole.work();
    expect(did).toMatchObject([
      true,
      { kind: 'applied', entriesReplaced: 57 },
      true,
      true,
      { kind: 'compressed' },
      { kind: 'compressed' },
    ]);
    // The calling thread only shares the counting, in slices.
    expect(['count', 'measure']).toEqual(expect.arrayContaining(Object.keys(sizesOn('main', work))));
    expect(new Set(Object.keys(sizesOn('thread', work)))).toEqual(new Set(['count', 'optimize', 'compress']));
    expect(degraded).toEqual([]);
    expect(stats.bytesCountedOnThreads).toBeGreaterThan(1_000_000);
  });

  test('without worker files the main thread does the same work, with one notice', async () => {
    const { did, degraded, stats } = await workOfASession(withoutWorkers);
    const work = withoutWorkers.work();
    expect(did).toMatchObject([true, { kind: 'applied' }, true, true, { kind: 'compressed' }, { kind: 'compressed' }]);
    expect(sizesOn('thread', work)).toEqual({});
    expect(Object.keys(sizesOn('main', work)).sort()).toEqual(['compress', 'count', 'measure', 'optimize']);
    expect(degraded).toEqual([expect.stringContaining('it could not be loaded')]);
    expect(stats).toMatchObject({ bytesCountedOnThreads: 0 });
    expect(stats.bytesCountedByCaller).toBeGreaterThan(1_000_000);
  });

  const out = (name: string): string => path.join(computer.folder, name);
  const COMMANDS: readonly { name: string; args: (name: string) => string[]; onThreads: readonly string[] }[] = [
    { name: 'replay', args: () => ['replay', '--json', '--stats', session], onThreads: ['count', 'optimize', 'read'] },
    { name: 'inspect', args: () => ['inspect', '--json', session], onThreads: ['count', 'optimize', 'read'] },
    { name: 'count', args: () => ['dev', 'count', '--json', session], onThreads: ['measure'] },
    {
      name: 'optimize',
      args: (name) => ['optimize', '--json', session, '-o', out(`${name}-o`)],
      onThreads: ['count', 'optimize', 'read', 'rewrite'],
    },
    {
      name: 'optimize --strategy',
      args: (name) => [
        'optimize',
        '--strategy',
        'high-density',
        '--json',
        session,
        '-o',
        out(`${name}-c`),
        '--context-limit',
        '20k',
      ],
      onThreads: ['compress', 'count', 'optimize', 'read', 'rewrite'],
    },
    {
      name: 'convert',
      args: (name) => ['convert', '--json', '--to', 'codex', session, '-o', out(`${name}-v`)],
      onThreads: ['convert', 'read'],
    },
  ];

  test.each(COMMANDS)(
    '$name does $onThreads there, and the same alone on the main thread with one notice',
    async ({ args, onThreads }) => {
      const { code, err, out: said } = await computer.run(args('whole'), whole.environment, whole.command);
      const work = whole.work();
      expect(code).toBe(0);
      // A history is small before it is large, and the counting of a large one is shared.
      const onMain = sizesOn('main', work);
      expect(['count', 'measure', 'optimize']).toEqual(expect.arrayContaining(Object.keys(onMain)));
      expect(onMain['optimize'] ?? 0).toBeLessThan(512 * 1024);
      expect(Object.keys(sizesOn('thread', work)).sort()).toEqual(onThreads);
      expect(err).not.toContain(NOTICE);
      const alone = await computer.run(args('alone'), withoutWorkers.environment, withoutWorkers.command);
      const mainWork = withoutWorkers.work();
      expect(alone.code).toBe(0);
      expect(Object.keys(sizesOn('main', mainWork))).toEqual(expect.arrayContaining([...onThreads]));
      expect(alone.err).toContain('Cannot find module');
      expect(alone.err.split(NOTICE)).toHaveLength(2);
      expect(jsonLines(alone.out).map(figures)).toEqual(jsonLines(said).map(figures));
    },
  );

  test('--stats says where the work was done', async () => {
    const counted = /counted +(\S+) \S+ on threads, (\S+) \S+ on the main thread/;
    const { err } = await computer.run(['replay', '--stats', session], whole.environment, whole.command);
    const [, onThreads, onMain] = counted.exec(err) ?? [];
    expect([Number(onThreads), Number(onMain)]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Number(onThreads)).toBeGreaterThan(0);
    const alone = await computer.run(['replay', '--stats', session], whole.environment, withoutWorkers.command);
    const [, none, all] = counted.exec(alone.err) ?? [];
    expect([none, Number(all) > 0]).toEqual(['0', true]);
    whole.work();
  });

  /** Output without what depends on the engine or the output file. */
  function figures({ output, transcript, gateMs, stallMs, readMs, ...line }: Record<string, unknown>): unknown {
    return line;
  }
});
