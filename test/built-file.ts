import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript, because the build runs it.
import { bundle } from '../tools/build/bundle.mjs';
import { afterFile } from './after-file.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BUILDS = path.join(ROOT, '.test-build');

/** A TypeScript file of this repository as one JavaScript file that a thread or a process can run; removed after the tests of the file. */
export async function builtFile(file: string): Promise<URL> {
  mkdirSync(BUILDS, { recursive: true });
  const folder = mkdtempSync(path.join(BUILDS, 'file-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const name = path.basename(file, '.ts');
  await bundle({ [name]: file }, folder, { codeSplitting: false });
  return pathToFileURL(path.join(folder, `${name}.js`));
}
