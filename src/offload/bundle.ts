import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** A bundle that has run. */
export interface LoadedBundle<Exports> {
  readonly exports: Exports;
  readonly script: Script;
}

/** Where the bytecode of the bundle at `file` stands. */
export const codeCacheOf = (file: URL): URL => new URL(`${file.href}.cache`);

/**
 * Runs the bundle at `file`, all modules that a thread needs as one CommonJS script, and gives back what it exports. The
 * bytecode beside it is taken where it was made by this version of V8 under the same flags, and else does no harm. A thread
 * starts so in a third of the time that one module after the other takes; Node keeps no bytecode of modules before
 * version 22. Source: bench/compare.ts.
 * @throws Error of the file system when there is no such bundle.
 */
export function loadBundle<Exports>(file: URL): LoadedBundle<Exports> {
  const filename = fileURLToPath(file);
  const codeCache = codeCacheOf(file);
  const script = new Script(`(function (exports, require, __filename) {${readFileSync(file, 'utf8')}\n})`, {
    filename,
    ...(existsSync(codeCache) && { cachedData: readFileSync(codeCache) }),
  });
  const exports = {} as Exports;
  script.runInThisContext()(exports, createRequire(file), filename);
  return { exports, script };
}
