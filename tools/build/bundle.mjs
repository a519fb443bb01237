import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { dataModules } from './data-modules.mjs';
import { licences } from './licences.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Public entries of the package, by the name of their file in `dist`. */
export const ENTRIES = {
  index: 'src/index.ts',
  'ai-sdk': 'src/entries/adapters/ai-sdk.ts',
  anthropic: 'src/entries/adapters/anthropic.ts',
  compact: 'src/entries/compact.ts',
  fetch: 'src/entries/adapters/fetch.ts',
  formats: 'src/entries/formats.ts',
  langchain: 'src/entries/adapters/langchain.ts',
  live: 'src/entries/live.ts',
  'openai-agents': 'src/entries/adapters/openai-agents.ts',
  opencode: 'src/entries/adapters/opencode.ts',
  pi: 'src/entries/adapters/pi.ts',
  providers: 'src/entries/providers.ts',
  replay: 'src/entries/replay.ts',
  sessions: 'src/entries/sessions.ts',
  settings: 'src/entries/settings.ts',
  strategies: 'src/entries/strategies.ts',
  tokens: 'src/entries/tokens.ts',
};
const COMMAND = 'src/cli/density.ts';
/** What the command loads before it knows which command to run. */
const COMMAND_START = 'src/cli/main.ts';
const HOOK = 'src/cli/hook/agent-hook.ts';
/** What each thread of a pool starts with; beside the other workers in `dist`. */
const THREAD = 'node_modules/piscina/dist/worker.js';
const WORKERS = ['bill', 'compactions', 'client', 'compare', 'engine', 'replay', 'session', 'worth'];

const {
  name: ownName,
  dependencies,
  peerDependencies,
} = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** Packages that are loaded from where they are installed, as an example loads this one. All else is in the bundle; so is `ai`, a peer for its types alone. */
const { ai: _, ...installed } = { ...dependencies, ...peerDependencies };

/** Whether a package in the bundle loads a copy of its own: of a peer, which may be absent, or of another version than ours. */
function hasOwnCopy(packageName, importer) {
  if (!importer?.includes('/node_modules/')) return false;
  const folders = createRequire(importer)
    .resolve.paths(packageName)
    .map((folder) => path.join(folder, packageName));
  return packageName in peerDependencies || folders.find(existsSync) !== path.join(ROOT, 'node_modules', packageName);
}

const isExternal = (id, importer) => {
  const [scope, name] = id.split('/');
  const packageName = id.startsWith('@') ? `${scope}/${name}` : scope;
  return (
    id.startsWith('node:') ||
    builtinModules.includes(id) ||
    packageName === ownName ||
    (packageName in installed && !hasOwnCopy(packageName, importer))
  );
};

/**
 * Makes piscina start its threads with our bundle of its worker file. Its 20 files hold the caller for 30 ms when they are
 * loaded from where they are installed, the bundle for 7. It has no option for that file: the place is in its code alone, so the
 * built text is changed, and the build fails if the place is not there once.
 */
const threadsOfBundle = (folder) => ({
  name: 'threads-of-bundle',
  renderChunk(code, { fileName, modules }) {
    if (!Object.keys(modules).some((id) => id.endsWith('/piscina/dist/index.js'))) return null;
    const place = /__dirname, (["'])worker\.js\1/g;
    if (code.match(place)?.length !== 1) throw new Error('Expected piscina to name its worker file once.');
    const thread = path.basename(folder) === 'workers' ? 'thread.js' : 'workers/thread.js';
    const relative = path.posix.relative(path.posix.dirname(fileName), thread);
    return code.replace(place, `import.meta.dirname, '${relative}'`);
  },
});

/** Bundles `input` (name: file) into ESM files in `folder`; returns what rolldown wrote. */
export async function bundle(input, folder, { plugins = [], external = isExternal, ...output } = {}) {
  const bundled = await rolldown({
    cwd: ROOT,
    input,
    plugins: [dataModules, threadsOfBundle(folder), ...plugins],
    platform: 'node',
    checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
    external,
    resolve: { alias: { '@napi-rs/nice': false } },
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

/** The whole package: entries and the command share chunks. Each worker is one file, and what it loads late is in its own folder. */
export async function bundlePackage(folder, plugins = []) {
  const input = { ...ENTRIES, density: COMMAND, 'command-line': COMMAND_START };
  const codeSplitting = sharedChunks({ ...ENTRIES, density: COMMAND_START });
  const output = { chunkFileNames: 'chunks/[name].js', codeSplitting };
  const files = Object.fromEntries(WORKERS.map((name) => [name, `workers/${name}.ts`]));
  const workers = Object.entries({ ...files, thread: THREAD }).map(([name, file]) =>
    bundle({ [name]: file }, path.join(folder, 'workers'), {
      plugins,
      chunkFileNames: `${name}/[name].js`,
      // It needs nearly all that it could load late.
      ...(name === 'replay' && { codeSplitting: false }),
    }),
  );
  // Agents start it at every call of a tool: what few calls need is in files of its own, and less text is compiled faster.
  const hook = { chunkFileNames: 'hook/[name].js', codeSplitting: sharedChunks({ start: HOOK }), minify: true };
  const external = (id) => id.startsWith('node:') || builtinModules.includes(id);
  workers.push(bundle({ hook: HOOK }, folder, { plugins, external, ...hook }));
  const [main, ...others] = await Promise.all([bundle(input, folder, { plugins, ...output }), ...workers]);
  writeFileSync(path.join(folder, 'third-party-licences.txt'), licences([...main, ...others.flat()]));
  return main;
}
