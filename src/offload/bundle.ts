import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** A bundle that has run. */
export interface LoadedBundle<Exports> {
  readonly exports: Exports;
  readonly script: Script;
}

const DIGEST_BYTES = 32;

/** Where V8's bytecode of the bundle at `file` stands. */
export const codeCacheOf = (file: URL): URL => new URL(`${file.href}.cache`);

/** What is to stand there when `script` is the bundle and has run: all functions that ran are in it. */
export function codeCacheBytes(file: URL, script: Script): Buffer {
  const bytecode = script.createCachedData();
  return Buffer.concat([digestOf(readFileSync(file), bytecode), bytecode]);
}

/**
 * Runs the bundle at `file`, all modules that a thread needs as one CommonJS script, and gives back what it exports. The
 * bytecode beside it is taken where it is whole and was made of this bundle, by this version of V8 under the same flags
 * on such a machine, and else does no harm. A thread starts so in a third of the time that one module after the other
 * takes; Node keeps no bytecode of modules before version 22. Source: bench/compare.ts.
 * @throws Error of the file system when there is no such bundle.
 */
export function loadBundle<Exports>(file: URL): LoadedBundle<Exports> {
  const filename = fileURLToPath(file);
  const source = readFileSync(file);
  const cachedData = bytecodeOf(file, source);
  const script = new Script(`(function (exports, require, __filename) {${source}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
  });
  const exports = {} as Exports;
  script.runInThisContext()(exports, createRequire(file), filename);
  return { exports, script };
}

/**
 * V8 looks at its version, its flags and the length of a script alone, and runs whatever bytecode it gets: a broken byte
 * may end the process, as may what another build of that version made, for which a package may be installed.
 */
function bytecodeOf(file: URL, source: Buffer): Buffer | undefined {
  const codeCache = codeCacheOf(file);
  if (!existsSync(codeCache)) return undefined;
  const bytes = readFileSync(codeCache);
  const bytecode = bytes.subarray(DIGEST_BYTES);
  return digestOf(source, bytecode).equals(bytes.subarray(0, DIGEST_BYTES)) ? bytecode : undefined;
}

const digestOf = (source: Buffer, bytecode: Buffer): Buffer =>
  createHash('sha256').update(`${process.platform} ${process.arch} `).update(source).update(bytecode).digest();
