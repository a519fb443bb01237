import path from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Public entries of the package, by the name of their file in `dist`. */
export const ENTRIES = {
  index: 'src/index.ts',
  anthropic: 'src/entries/anthropic.ts',
  compact: 'src/entries/compact.ts',
  fetch: 'src/entries/fetch.ts',
  formats: 'src/entries/formats.ts',
  live: 'src/entries/live.ts',
  providers: 'src/entries/providers.ts',
  replay: 'src/entries/replay.ts',
  sessions: 'src/entries/sessions.ts',
  settings: 'src/entries/settings.ts',
  tokens: 'src/entries/tokens.ts',
};
const COMMAND = 'src/cli/density.ts';
/** What the command loads before it knows which command to run. */
const COMMAND_START = 'src/cli/main.ts';
const WORKERS = ['client', 'compare', 'engine', 'search', 'session'];

/** Packages and modules of Node are loaded from where they are installed. */
const isExternal = (id) => !/^[./\0]/.test(id) && !path.isAbsolute(id);

/** Bundles `input` (name: file) into ESM files in `folder`; returns what rolldown wrote. */
export async function bundle(input, folder, { plugins = [], ...output } = {}) {
  const bundled = await rolldown({
    cwd: ROOT,
    input,
    plugins,
    platform: 'node',
    checks: { bundlerTimings: false },
    external: isExternal,
    preserveEntrySignatures: 'allow-extension',
  });
  try {
    return (await bundled.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', ...output })).output;
  } finally {
    await bundled.close();
  }
}

/**
 * One shared chunk for each set of entries that need the same modules, so that an entry loads few files and nothing that
 * it does not need. What only commands need is split by rolldown.
 */
function sharedChunks(entries) {
  const names = new Map(Object.entries(entries).map(([name, file]) => [path.join(ROOT, file), name]));
  const name = (id, context) => {
    const reaching = new Set();
    const seen = new Set([id]);
    for (const module of seen) {
      if (names.has(module)) reaching.add(names.get(module));
      for (const importer of context.getModuleInfo(module)?.importers ?? []) seen.add(importer);
    }
    return reaching.size === 0 || names.has(id) ? null : [...reaching].sort().join('-');
  };
  return { groups: [{ name, debugName: 'shared', includeDependenciesRecursively: false }] };
}

/** The whole package: entries and the command share chunks, each worker is one file that shares nothing. */
export async function bundlePackage(folder, plugins = []) {
  const input = { ...ENTRIES, density: COMMAND };
  const codeSplitting = sharedChunks({ ...ENTRIES, density: COMMAND_START });
  const output = { chunkFileNames: 'chunks/[name].js', codeSplitting };
  const workers = WORKERS.map((name) =>
    bundle({ [name]: `workers/${name}.ts` }, path.join(folder, 'workers'), { plugins, codeSplitting: false }),
  );
  const [main] = await Promise.all([bundle(input, folder, { plugins, ...output }), ...workers]);
  return main;
}
