import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The packed file, installed in a new folder. */
export interface InstalledPackage {
  /** The path has a blank. */
  readonly folder: string;
  /** `node_modules` in it. */
  readonly modules: string;
  /** The command, as `npx` runs it. */
  readonly command: string;
}

/** `npm pack`, then the steps of `npm install` in an empty folder. Dependencies are linked, so no network is needed. */
export function installedPackage(): InstalledPackage {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'high-density package-')));
  const modules = path.join(folder, 'node_modules');
  const installed = path.join(modules, 'high-density');
  // Already built; a script would build again while other tests run.
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: ROOT }).toString().trim().split('\n').at(-1)!;
  execFileSync('tar', ['-xzf', path.join(folder, tarball), '-C', folder]);
  mkdirSync(modules);
  cpSync(path.join(folder, 'package'), installed, { recursive: true });
  rmSync(path.join(folder, 'package'), { recursive: true });
  const { dependencies, bin } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'bin',
    Record<string, string>
  >;
  for (const name of Object.keys(dependencies)) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  mkdirSync(path.join(modules, '.bin'));
  for (const [name, file] of Object.entries(bin)) {
    symlinkSync(path.join('../high-density', file), path.join(modules, '.bin', name));
  }
  const command = path.join(installed, 'dist/density.js');
  chmodSync(command, 0o755);
  return { folder, modules, command };
}
