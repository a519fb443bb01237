import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because the build runs it.
import { bundlePackage } from '../../tools/build/bundle.mjs';
import { afterFile } from '../after-file.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RECORD = pathToFileURL(path.join(ROOT, 'test/fixtures/work-record.mjs')).href;

/** Recorded work and its thread. Sizes are bytes of files, characters of texts, or entries of histories. */
export interface Work {
  readonly thread: 'main' | 'thread';
  readonly what: string;
  readonly size: number;
}

/** Replaces a module of `src`: the same module, with a record of each expensive call. */
const PROBES: Readonly<Record<string, string>> = {
  // Every tokenizer counts with this.
  'src/tokens/exact/thread-counter.ts': `
    import { threadCounter as create } from './real';
    const probed = new Map();
    export function threadCounter(encoding) {
      if (!probed.has(encoding)) {
        const counter = { ...create(encoding) };
        recordCalls(counter, ['count', 'measure'], (text) => text.length);
        probed.set(encoding, counter);
      }
      return probed.get(encoding);
    }`,
  'src/strategies/high-density/high-density.ts': `
    import { HighDensityStrategy } from './real';
    recordCalls(HighDensityStrategy.prototype, ['optimize'], (history) => history.length);
    recordCalls(HighDensityStrategy.prototype, ['compress'], ({ history }) => history.length);`,
  'src/strategies/top-down-truncation.ts': `
    import { TopDownTruncationStrategy } from './real';
    recordCalls(TopDownTruncationStrategy.prototype, ['compress'], ({ history }) => history.length);`,
  'src/sessions/read-session.ts': `
    import { readSession as read } from './real';
    export function readSession(bytes, options) {
      record('read', bytes.sizeBytes);
      return read(bytes, options);
    }`,
  'src/sessions/rewritten.ts': `
    import { rewritten as rewrite } from './real';
    export function rewritten(opened, after) {
      record('rewrite', after.length);
      return rewrite(opened, after);
    }`,
  'src/formats/convert.ts': `
    import { convertSession as convert } from './real';
    export function convertSession(session, ...rest) {
      record('convert', session.events.length);
      return convert(session, ...rest);
    }`,
};

const PROBED = new Map(Object.entries(PROBES).map(([file, probe]) => [path.join(ROOT, file), probe]));
const REAL = '?real';

/** Bundles the probe of a module where the module is imported; the probe imports the module as `./real`. */
const probes: Plugin = {
  name: 'probes',
  resolveId(source, importer) {
    if (source === './real') return `${importer}${REAL}`;
    return importer?.endsWith(REAL) ? this.resolve(source, importer.slice(0, -REAL.length)) : null;
  },
  load(id) {
    if (id.endsWith(REAL)) return { code: readFileSync(id.slice(0, -REAL.length), 'utf8'), moduleType: 'ts' };
    const probe = PROBED.get(id);
    if (probe === undefined) return null;
    const code = `import { record, recordCalls } from '${RECORD}';\nexport * from './real';\n${probe}\nvoid record;\nvoid recordCalls;\n`;
    return { code, moduleType: 'js', moduleSideEffects: true };
  },
};

/** The package, bundled with probes that record which thread does what: the product's own worker files, pool and command. */
export class ProbedBuild {
  /** The name contains blanks and characters with a meaning in URLs, as paths on Windows and macOS do. */
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'high density #1 50% ä-')));
  readonly #record = path.join(this.folder, 'record');

  private constructor(built: string) {
    afterFile(() => rmSync(this.folder, { recursive: true, force: true }));
    cpSync(path.join(ROOT, 'package.json'), path.join(this.folder, 'package.json'));
    cpSync(built, path.join(this.folder, 'dist'), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.folder, 'node_modules'));
    writeFileSync(this.#record, '');
  }

  static async create(): Promise<ProbedBuild> {
    const build = new ProbedBuild(path.join(ROOT, 'dist'));
    await bundlePackage(path.join(build.folder, 'dist'), [probes]);
    return build;
  }

  /** The same build in a folder of its own, without its worker files. */
  withoutWorkers(): ProbedBuild {
    const build = new ProbedBuild(path.join(this.folder, 'dist'));
    rmSync(path.join(build.folder, 'dist/workers'), { recursive: true });
    return build;
  }

  get command(): string {
    return path.join(this.folder, 'dist/density.js');
  }

  get library(): string {
    return pathToFileURL(path.join(this.folder, 'dist/index.js')).href;
  }

  /** Variables that make a process record its work. */
  get environment(): Readonly<Record<string, string>> {
    return { WORK_RECORD: this.#record };
  }

  /** The work since the last call. */
  work(): Work[] {
    const lines = readFileSync(this.#record, 'utf8').split('\n').slice(0, -1);
    writeFileSync(this.#record, '');
    return lines.map((line) => {
      const [thread, what, size] = line.split(' ') as [Work['thread'], string, string];
      return { thread, what, size: Number(size) };
    });
  }
}

/** Sizes by kind of work, of one thread. */
export function sizesOn(thread: Work['thread'], work: readonly Work[]): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const one of work) if (one.thread === thread) sizes[one.what] = (sizes[one.what] ?? 0) + one.size;
  return sizes;
}
