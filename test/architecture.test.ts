import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** A room imports only from rooms before it. Rooms that are not built yet have their place already. */
const ROOMS = (
  'errors durations package-file time-slice serial-queue deadline telemetry content needs tokens economics strategies history disk formats settings threads providers ' +
  'offload pruning gate guard live compaction sessions replay lab report mcp plugin mod proxy adapters fleet strict-provider cli'
).split(' ');

/** Folders and files that must not touch disk, network, process, clock, random, timers or a log. */
const PURE = [
  /^src\/(content|needs|tokens|economics|strategies|formats|pruning|report)\//,
  /^src\/history\/(views\/curate|apply|edits\/density-check)\.ts$/,
  /^src\/compaction\/(partition|assemble)\.ts$/,
  /^src\/guard\/(copied-marker|copy-in|sent-marker|refusal)\.ts$/,
  /^src\/offload\/(transfer\/(snapshot|delta|result-parts|block-edits|long-texts|plain-copy)|replica\/(replica|replica-entries|replica-store|thread-context)|reply-check)\.ts$/,
  /^src\/threads\/(answer|back-off|queue)\.ts$/,
];

/**
 * The loader of the packed vocabulary reads files, and what a user says of models reaches all threads of a process; nothing else
 * in a pure room does.
 */
const IMPURE_BY_DESIGN = new Set(['src/tokens/vocabulary/load-vocabulary.ts', 'src/economics/models/given-models.ts']);

/** Here nothing waits: a caller pauses by a generator. Replay is fast by it, and what runs without Node can use it. */
const SYNCHRONOUS = /^src\/pruning\//;
const WAITING = /\basync\b|\bawait\b|\bPromise\b|from 'node:/;

const IMPURITIES = [
  /from 'node:(fs|net|http|https|child_process|os|process|timers|worker_threads|dns|tls)/,
  /\bprocess\.(?!versions\b)/,
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
  /\bMath\.random\(|\brandomUUID\(/,
  /\bset(Timeout|Interval|Immediate)\(/,
  /\bconsole\./,
  /\bfetch\(/,
];

/** Packages with exactly one place that may import them. */
const ONE_IMPORTER: Record<string, RegExp> = {
  piscina: /^src\/threads\/threads\.ts$/,
  comlink: /^src\/threads\/progress\.ts$/,
  'node-sqlite3-wasm': /^src\/disk\/opencode-database\/open-database\.ts$/,
  'p-queue': /^src\/serial-queue\.ts$/,
  ai: /^src\/providers\//,
  diff: /^src\/cli\/commands\/dev\/shape\/edit-diff\.ts$/,
  undici: /^src\/proxy\/upstream\.ts$/,
  ws: /^src\/proxy\/sockets\/web-socket\.ts$/,
  'strip-ansi': /^src\/strategies\/high-density\/shapers\/terminal-noise\.ts$/,
  fzstd: /^src\/proxy\/(intake\/request-body|answer\/copy-decoder)\.ts$/,
  'eventsource-parser': /^src\/proxy\/answer\/answer-reader\.ts$/,
  '@modelcontextprotocol/server': /^src\/mcp\//,
  'proxy-from-env': /^src\/proxy\/sockets\/sockets\.ts$/,
  'smol-toml': /^src\/proxy\/agents\/settings\/toml-file\.ts$/,
};

/** What a worker entry may import. */
const WORKER_IMPORTS: Record<string, RegExp> = {
  'workers/engine.ts':
    /^src\/(errors|content|tokens|strategies|history)\b|^src\/offload\/(protocol|replica\/[a-z-]+)\.ts$|^src\/threads\/progress\.ts$/,
  'workers/client.ts': /^src\/providers\/(offloaded\/client-protocol|index)\.ts$|^src\/threads\/answer\.ts$/,
  'workers/bill.ts': /^src\/lab\/files\/(billed-file|answering-files)\.ts$/,
  'workers/compactions.ts': /^src\/lab\/(cuts\/file-cuts|files\/file-answers)\.ts$|^src\/threads\/answer\.ts$/,
  'workers/compare.ts': /^src\/lab\/(compared-file|files\/answering-files)\.ts$/,
  'workers/replay.ts': /^src\/lab\/files\/(played-file|answering-files)\.ts$/,
  'workers/worth.ts': /^src\/lab\/played\/session-worth\.ts$|^src\/threads\/answer\.ts$/,
  'workers/session.ts':
    /^src\/(errors|content|tokens|strategies|history|formats|disk|sessions)\b|^src\/threads\/(answer|progress)\.ts$/,
};

/** The slowest files and packages to load, which must be loaded only when they are needed. */
const NOT_AT_START: Record<string, RegExp> = {
  'workers/compare.ts': /^src\/strategies\/summarizing\/|^(?!src\/|env-paths$|strip-ansi$)/,
  'src/cli/commands/compare/compare-policies.ts':
    /^src\/(formats|tokens|strategies\/(?!contract|settings\/|reasons\/|high-density\/(?:rules|lines|repeated-lines|shapers)\/))|^(?!src\/|commander$|picocolors$)/,
};

/** Where a thread may be started: the one host of them. */
const THREAD_START = /\bnew Worker\(|\bnew (?:pool|Piscina)\b/;
const THREAD_HOST = /^src\/threads\//;

/** State that lasts as long as the module: a variable, or a collection that grows. Pure rooms have none but caches. */
const MODULE_STATE = /^(?:export )?(?:let |const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)(?:<[^;]*>)?\(\);)/m;
/** One per thread, by design: what was loaded or made once, and what was measured last. */
const CACHES_BY_DESIGN = new Set([
  'src/strategies/high-density/repeated-lines/original-result.ts',
  'src/content/counted.ts',
  'src/content/lines/block-line-hashes.ts',
  'src/content/lines/text-units.ts',
  'src/economics/model-name.ts',
  'src/economics/prices.ts',
  'src/needs/earlier-calls.ts',
  'src/pruning/waiting-edits.ts',
  'src/strategies/high-density/lines/cut-lines.ts',
  'src/strategies/high-density/lines/shown-lines.ts',
  'src/strategies/high-density/repeated-lines/line-notes.ts',
  'src/strategies/high-density/repeated-lines/removed-targets.ts',
  'src/strategies/high-density/repeated-lines/text-lines.ts',
  'src/strategies/reasons/edit-groups.ts',
  'src/tokens/exact/thread-counter.ts',
  'src/tokens/vocabulary/load-vocabulary.ts',
]);

/** Files with one value that are named after their idea, which the value's name does not repeat. */
const NAMED_OTHERWISE = new Set([
  'src/adapters/anthropic.ts',
  'src/adapters/openai-agents.ts',
  'src/adapters/opencode.ts',
  'src/adapters/pi.ts',
  'src/formats/claude-code/check-written.ts',
  'src/formats/lines/edits.ts',
  'src/formats/openai-chat/create.ts',
  'src/offload/transfer/delta.ts',
  'src/offload/transfer/snapshot.ts',
  'src/strategies/summarizing/evidence.ts',
]);
const FORBIDDEN_FILE_NAMES =
  /(^|[-/])(utils?|helpers?|common|core|misc|manager|base|impl|handler)([-.]|$)|[a-z]-?\d+\.ts$/i;
const FORBIDDEN_IDENTIFIERS = /\b(?:class|interface|type|function|const)\s+\w*(?:Manager|Impl|Handler|Utils?|Helper)\b/;

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .sort();
}

const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
interface Source {
  readonly file: string;
  readonly text: string;
}
const sourcesIn = (...folders: readonly string[]): Source[] =>
  folders.flatMap(sourceFiles).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const SOURCES = sourcesIn('src', 'workers');
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g), ...text.matchAll(/^import '([^']+)'/gm)].map(
    (match) => match[1] as string,
  );
/** What is loaded with a file: types and `import()` are not. */
const loadedWith = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^;']*\sfrom\s)?\s*'([^']+)'/gm)].map(
    (match) => match[1] as string,
  );
const textsByFile = (sources: readonly Source[]): ReadonlyMap<string, string> =>
  new Map(sources.map(({ file, text }) => [file, text]));
/** The files and packages that are loaded with a file, by the texts of all files. */
function allLoadedWith(entry: string, texts: ReadonlyMap<string, string>): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const specifier of loadedWith(texts.get(file) ?? '')) {
      if (specifier.startsWith('.')) loaded.add(path.posix.join(path.posix.dirname(file), specifier));
      else if (!specifier.startsWith('node:')) loaded.add(packageOf(specifier));
    }
  }
  return loaded;
}
const isEntry = (file: string): boolean => file === 'src/index.ts' || file.startsWith('src/entries/');
const EXPORTED_VALUE = /^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm;
const EXPORTED_NAME = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
/** The words of a name without what only bends them: `removedBlocks` and `block-removal` share both. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/(?:ies|es|s|ed|ing|ion|al|e|y|er|or)$/, ''));
const roomOf = (file: string): string => file.replace(/^src\//, '').split(/[/.]/)[0] as string;
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('architecture', () => {
  test('every file of src is in a room', () => {
    const strays = SOURCES.filter(({ file }) => file.startsWith('src/') && !isEntry(file)).filter(
      ({ file }) => !ROOMS.includes(roomOf(file)),
    );
    expect(strays.map(({ file }) => file)).toEqual([]);
  });

  test('imports point left', () => {
    const wrong: string[] = [];
    for (const { file, text } of SOURCES) {
      if (isEntry(file) || file.startsWith('workers/')) continue;
      for (const specifier of importsOf(text).filter((name) => name.startsWith('.'))) {
        const target = path.posix.join(path.posix.dirname(file), specifier);
        const from = ROOMS.indexOf(roomOf(file));
        const to = ROOMS.indexOf(roomOf(target));
        if (to === -1 || to > from) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('no circle of files, types included', () => {
    const targets = new Map(
      SOURCES.map(({ file, text }) => [
        file,
        importsOf(text)
          .filter((name) => name.startsWith('.'))
          .map((name) => path.posix.join(path.posix.dirname(file), name)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, above: readonly string[]): void => {
      const start = above.indexOf(file);
      if (start !== -1) circles.push([...above.slice(start), file].join(' > '));
      if (start !== -1 || done.has(file)) return;
      for (const target of targets.get(file) ?? []) visit(target, [...above, file]);
      done.add(file);
    };
    for (const file of targets.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('threads are started in `threads/` alone', () => {
    const wrong = SOURCES.filter(({ file, text }) => THREAD_START.test(code(text)) && !THREAD_HOST.test(file));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('`pruning/` waits for nothing and needs no Node', () => {
    const waiting = SOURCES.filter(({ file, text }) => SYNCHRONOUS.test(file) && WAITING.test(code(text)));
    expect(waiting.map(({ file }) => file)).toEqual([]);
  });

  test('pure rooms have no state of a module that changes', () => {
    const stateful = SOURCES.filter(
      ({ file, text }) => PURE.some((pattern) => pattern.test(file)) && MODULE_STATE.test(code(text)),
    );
    expect(stateful.map(({ file }) => file).filter((file) => !CACHES_BY_DESIGN.has(file))).toEqual([]);
    expect([...CACHES_BY_DESIGN].filter((file) => !stateful.some((source) => source.file === file))).toEqual([]);
  });

  test('a worker entry imports only what it is allowed to', () => {
    const wrong: string[] = [];
    for (const { file, text } of SOURCES.filter((source) => source.file.startsWith('workers/'))) {
      const allowed = WORKER_IMPORTS[file];
      for (const specifier of importsOf(text).filter((name) => name.startsWith('.'))) {
        const target = path.posix.join(path.posix.dirname(file), specifier);
        if (!allowed?.test(target)) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(Object.entries(NOT_AT_START))('%s starts without what it may never need', (entry, late) => {
    const loaded = allLoadedWith(entry, textsByFile(SOURCES));
    loaded.delete(entry);
    expect(loaded.size).toBeGreaterThan(10);
    expect([...loaded].filter((name) => late.test(name))).toEqual([]);
  });

  test('proofs and benches start without Vitest, though they share code with tests', () => {
    const all = [...SOURCES, ...sourcesIn('tools', 'bench', 'test')];
    const texts = textsByFile(all);
    const outside = all.filter(({ file }) => /^(?:tools|bench)\//.test(file));
    expect(outside.length).toBeGreaterThan(50);
    const wrong = outside.filter(({ file }) => allLoadedWith(file, texts).has('vitest'));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('pure rooms are pure', () => {
    const wrong: string[] = [];
    for (const { file, text } of SOURCES) {
      if (!PURE.some((pattern) => pattern.test(file)) || IMPURE_BY_DESIGN.has(file)) continue;
      for (const impurity of IMPURITIES) {
        const found = impurity.exec(code(text));
        if (found) wrong.push(`${file}: ${found[0]}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('one importer per package', () => {
    const wrong: string[] = [];
    for (const { file, text } of SOURCES) {
      for (const specifier of importsOf(text)) {
        const only = ONE_IMPORTER[packageOf(specifier)];
        if (only && !only.test(file)) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('only the gate calls applyDensityResult inside src (REQ-HD-002.10)', () => {
    const callers = SOURCES.filter(({ text }) => /\.applyDensityResult\(/.test(code(text))).map(({ file }) => file);
    expect(callers.filter((file) => !file.startsWith('src/gate/'))).toEqual([]);
  });

  test('no list is spread into arguments that are added to another list: some 100,000 of them are too many', () => {
    const spreading = SOURCES.filter(({ text }) => /\.(?:push|unshift|splice)\((?:[\w.]+, )*\.\.\./.test(text));
    expect(spreading.map(({ file }) => file)).toEqual([]);
  });

  test('only the command prints or ends the process', () => {
    const wrong = SOURCES.filter(
      ({ file, text }) =>
        !file.startsWith('src/cli/') &&
        !IMPURE_BY_DESIGN.has(file) &&
        /\bconsole\.|process\.(exit|stdout|stderr)/.test(code(text)),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('a file with one exported value is named after what it exports', () => {
    const wrong = SOURCES.filter(({ file, text }) => {
      const base = path.basename(file).replace(/\.tsx?$/, '');
      const isOfOneValue = [...code(text).matchAll(EXPORTED_VALUE)].length === 1;
      if (!isOfOneValue || base === 'index' || base === 'contract') return false;
      const words = [...code(text).matchAll(EXPORTED_NAME)].flatMap(([, name]) => wordsOf(name as string));
      return !wordsOf(base).some((word) => words.some((other) => other.startsWith(word) || word.startsWith(other)));
    });
    expect(wrong.map(({ file }) => file).filter((file) => !NAMED_OTHERWISE.has(file))).toEqual([]);
  });

  test('no forbidden name', () => {
    const files = SOURCES.map(({ file }) => file).filter((file) => FORBIDDEN_FILE_NAMES.test(path.basename(file)));
    const identifiers = SOURCES.filter(({ text }) => FORBIDDEN_IDENTIFIERS.test(code(text))).map(({ file }) => file);
    expect([...files, ...identifiers]).toEqual([]);
  });
});
