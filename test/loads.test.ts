import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because the build runs it.
import { ENTRIES } from '../tools/build/bundle.mjs';
import { namedPackages } from './named-packages.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');

/** A file of the package: what it loads, and its source files with the length of the code that is left of each. */
interface Chunk {
  readonly fileName: string;
  /** The source file that it stands for. */
  readonly start: string | null;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  readonly modules: Readonly<Record<string, number>>;
}

const built = JSON.parse(readFileSync(path.join(DIST, '.chunks.json'), 'utf8')) as readonly Chunk[];
const chunks = new Map(built.map((chunk) => [chunk.fileName, chunk]));

interface Loaded {
  /** Files of the package that Node loads. */
  readonly files: number;
  /** Source files that run, as their code is in those. */
  readonly modules: readonly string[];
  readonly packages: readonly string[];
  /** Packages whose code is in those files. */
  readonly bundled: readonly string[];
}

/** What is loaded with a file of the package: `import()` is not, unless it is one of `also`. */
function loadedWith(file: string, also: readonly string[] = []): Loaded {
  const files = new Set([file]);
  const packages = new Set<string>();
  for (const name of files) {
    const { imports, dynamicImports } = chunks.get(name)!;
    for (const imported of [...imports, ...dynamicImports.filter((one) => also.includes(one))]) {
      if (chunks.has(imported)) files.add(imported);
      else if (!imported.startsWith('node:')) packages.add(imported);
    }
  }
  const rendered = [...files].flatMap((name) =>
    Object.entries(chunks.get(name)!.modules)
      .filter(([, length]) => length > 0)
      .map(([id]) => id.replaceAll(path.sep, '/')),
  );
  const modules = rendered.filter((id) => id.startsWith('src/')).sort();
  const bundled = new Set(rendered.flatMap((id) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));
  return { files: files.size, modules, packages: [...packages].sort(), bundled: [...bundled].sort() };
}

/** What a user of the library does not install: a model's SDK is in the bundle. */
const LARGE_PACKAGES = /^(?:ai|@ai-sdk\/.*)$/;

/** What no entry loads before it is needed: a model's SDK, the command line, threads. */
const LATE_PACKAGES = /^(?:ai|@ai-sdk\/.*|commander|cli-progress|piscina|comlink)$/;

/** What an entry may load of the bundled packages: the queue. */
const BUNDLED = ['eventemitter3', 'p-queue', 'p-timeout'];

/** Rooms and packages that an entry may load, and the most source files. */
const LOADS: Readonly<Record<string, { rooms: string; packages: readonly string[]; modules: number }>> = {
  index: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies history settings threads offload pruning gate guard',
    packages: [],
    modules: 102,
  },
  compact: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline content tokens history disk formats settings providers compaction',
    packages: [],
    modules: 96,
  },
  anthropic: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  'ai-sdk': {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  langchain: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  'openai-agents': {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  opencode: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  pi: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  fetch: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live adapters',
    packages: ['strip-ansi'],
    modules: 316,
  },
  formats: { rooms: 'errors durations content formats', packages: [], modules: 157 },
  live: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content tokens economics strategies disk formats settings pruning guard live',
    packages: ['strip-ansi'],
    modules: 309,
  },
  providers: { rooms: 'errors deadline content strategies formats settings providers', packages: ['zod'], modules: 41 },
  replay: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline telemetry content needs tokens economics strategies history disk formats settings threads offload pruning gate guard sessions replay lab',
    packages: ['strip-ansi'],
    modules: 343,
  },
  sessions: {
    rooms:
      'errors durations package-file time-slice serial-queue deadline content economics strategies disk formats threads gate live sessions',
    packages: ['env-paths'],
    modules: 235,
  },
  settings: {
    rooms: 'errors durations content tokens economics strategies history disk settings',
    packages: ['env-paths'],
    modules: 117,
  },
  strategies: { rooms: 'errors durations content strategies', packages: ['strip-ansi'], modules: 151 },
  tokens: { rooms: 'errors durations package-file content tokens', packages: [], modules: 37 },
};

/** Each is a file of the package; more of them take longer to load than the same code in fewer. */
const MAX_FILES = 41;

const roomsOf = (modules: readonly string[]): Set<string> =>
  new Set(modules.map((module) => module.replace(/^src\//, '').split(/[/.]/)[0]!).filter((room) => room !== 'entries'));

describe('what is loaded', () => {
  test.each(Object.keys(ENTRIES))('with the entry %s', (entry) => {
    const { files, modules, packages, bundled } = loadedWith(`${entry}.js`);
    const { rooms, packages: allowed, modules: most } = LOADS[entry]!;
    expect([...roomsOf(modules)].filter((room) => !rooms.split(' ').includes(room))).toEqual([]);
    expect(packages).toEqual(allowed);
    expect(packages.filter((name) => LATE_PACKAGES.test(name))).toEqual([]);
    expect(bundled.filter((name) => !BUNDLED.includes(name))).toEqual([]);
    expect(modules.length).toBeLessThanOrEqual(most);
    expect(files).toBeLessThanOrEqual(MAX_FILES);
  });

  test('with `.` is no format, no rule of a strategy and no vocabulary of an agent', () => {
    const late =
      /^src\/(?:formats\/|strategies\/high-density\/|content\/(?:shell|files)\/|content\/vocabularies\/(?!vocabulary\.))/;
    expect(loadedWith('index.js').modules.filter((module) => late.test(module))).toEqual([]);
  });

  test('is SQLite with no file of the package, and its reader not with `.`', () => {
    expect([...chunks.values()].flatMap(({ imports }) => imports).filter((name) => /sqlite/.test(name))).toEqual([]);
    const readers = (file: string): string[] => loadedWith(file).modules.filter((module) => /database/.test(module));
    expect(readers('index.js')).toEqual([]);
    expect(readers('sessions.js')).not.toEqual([]);
  });

  test('with `density --help` is no command', () => {
    const main = [...chunks.values()].find(({ start }) => start === path.join('src/cli/main.ts'));
    const { modules, packages } = loadedWith('density.js', [main!.fileName]);
    expect(modules).toContain('src/cli/commands.ts');
    expect(modules.filter((module) => module.startsWith('src/cli/commands/'))).toEqual([]);
    expect(modules.filter((module) => /database/.test(module))).toEqual([]);
    expect(modules.length).toBeLessThanOrEqual(12);
    expect(packages).toEqual(['commander', 'picocolors']);
  });

  test('from elsewhere is a dependency or a peer: what is bundled need not be installed', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'peerDependencies', Record<string, string>>;
    const installed = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      (name) => !LARGE_PACKAGES.test(name),
    );
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
    expect(files.length).toBeGreaterThan(chunks.size);
    const named = files.flatMap((file) =>
      namedPackages(readFileSync(path.join(DIST, file), 'utf8')).map((one) => ({ file, ...one })),
    );
    expect(named.filter(({ kind }) => kind === 'require').map(({ name }) => name)).toContain('image-size');
    expect(named.filter(({ name, kind }) => !installed.includes(name) && kind !== 'tried')).toEqual([]);
    // A peer may be absent: only our own files load one, and late.
    expect(named.filter(({ name, kind }) => name in peerDependencies && ['import', 'require'].includes(kind))).toEqual(
      [],
    );
    expect(Object.keys(dependencies).filter((name) => LARGE_PACKAGES.test(name))).toEqual([]);
    const licences = readFileSync(path.join(DIST, 'third-party-licences.txt'), 'utf8');
    expect(licences).toMatch(/^ai \d/m);
  });

  test('by a bundled package that needs another version of a dependency is that version, in the bundle', () => {
    const bundled = [...chunks.values()].flatMap(({ modules }) => Object.keys(modules));
    const width = path.join('node_modules/cli-progress/node_modules/string-width');
    expect(existsSync(path.join(ROOT, width))).toBe(true);
    expect(bundled).toContain(path.join(width, 'index.js'));
  });

  test('by each thread is one file', () => {
    const workers = readdirSync(path.join(DIST, 'workers')).filter((file) => file.endsWith('.js'));
    const ours = readdirSync(path.join(ROOT, 'workers')).map((file) => file.replace(/\.ts$/, '.js'));
    expect(workers).toEqual([...ours, 'thread.js'].sort());
    for (const file of workers) {
      expect(readFileSync(path.join(DIST, 'workers', file), 'utf8')).not.toMatch(/^(?:import|export) .*from "\./m);
    }
  });

  test('by the thread of the engine is no rule of a strategy', () => {
    const engine = readFileSync(path.join(DIST, 'workers/engine.js'), 'utf8');
    expect(engine).toContain('workerData');
    expect(engine).not.toContain('supersededRead');
    expect(readdirSync(path.join(DIST, 'workers/engine'))).toContain('strategies.js');
  });
});
