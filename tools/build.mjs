/**
 * `npm run build`: the package in `dist`. Does nothing when no input changed since the last build. Builds in a folder of
 * its own and renames that at the end, so that builds and tests may run at the same time.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript with declarations beside it.
import { bundle, bundlePackage } from './build/bundle.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
const STAMP = '.inputs';
/** What is in each file of the package: `test/loads.test.ts` reads it. */
const CHUNKS = '.chunks.json';
const INPUTS = [
  'src',
  'workers',
  'tools/build.mjs',
  'tools/build',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** Files that are read at run time, by their place in `dist`. */
const COPIED = {
  'prompt-config': 'src/prompt-config',
  'example-session.jsonl': 'src/sessions/example-session.jsonl',
};

function inputsHash() {
  const hash = createHash('sha256');
  const add = (file) => {
    if (existsSync(file)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  };
  for (const input of INPUTS) {
    const isFolder = !path.extname(input);
    const entries = isFolder ? readdirSync(path.join(ROOT, input), { recursive: true, withFileTypes: true }) : [];
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of isFolder ? files.sort() : [path.join(ROOT, input)]) add(file);
  }
  return hash.digest('hex');
}

/** What a file of the package loads, and its source files with the length of the code that is left of each. */
const contents = ({ fileName, facadeModuleId, imports, dynamicImports, modules }) => ({
  fileName,
  start: facadeModuleId && path.relative(ROOT, facadeModuleId),
  imports,
  dynamicImports,
  modules: Object.fromEntries(
    Object.entries(modules).map(([id, { renderedLength }]) => [path.relative(ROOT, id), renderedLength]),
  ),
});

async function buildVocabulary(folder) {
  await bundle({ 'build-vocabulary': 'tools/build/vocabulary.ts' }, folder);
  const tool = path.join(folder, 'build-vocabulary.js');
  const { buildVocabulary: build } = await import(pathToFileURL(tool).href);
  build(path.join(folder, 'vocabulary'));
  rmSync(tool);
}

/** Types are not checked here: `npm test` and `npx tsc -p .` check the same files. */
function buildDeclarations(folder) {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', path.join(folder, 'types')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}

/** Another build may do the same at the same time: then one of both is in place at the end. */
function putInPlace(folder) {
  for (let attempt = 0; ; attempt++) {
    const old = `${folder}-old-${attempt}`;
    try {
      if (existsSync(DIST)) renameSync(DIST, old);
      renameSync(folder, DIST);
      return rmSync(old, { recursive: true, force: true });
    } catch (error) {
      rmSync(old, { recursive: true, force: true });
      if (attempt === 9 || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
  }
}

const hash = inputsHash();
const stamp = path.join(DIST, STAMP);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  const folder = mkdtempSync(path.join(ROOT, '.build-'));
  try {
    chmodSync(folder, 0o755);
    writeFileSync(path.join(folder, CHUNKS), JSON.stringify((await bundlePackage(folder)).map(contents)));
    buildDeclarations(folder);
    await buildVocabulary(folder);
    for (const [to, from] of Object.entries(COPIED))
      cpSync(path.join(ROOT, from), path.join(folder, to), { recursive: true });
    chmodSync(path.join(folder, 'density.js'), 0o755);
    writeFileSync(path.join(folder, STAMP), hash);
    putInPlace(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
