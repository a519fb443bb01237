import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/package-file.ts';
import { type Row, rowOf } from './row.ts';

const MB = 1e6;

/** Bytes of all files below the folder. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);

/** The packed file, and what `npm install` of it puts into an empty project. Needs the package registry. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'density-install-'));
  try {
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const packed = execFileSync('npm', pack, { cwd: fileURLToPath(packageFile('.')), encoding: 'utf8' }).trim();
    writeFileSync(path.join(folder, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `./${packed}`], { cwd: folder });
    const modules = path.join(folder, 'node_modules');
    const { packages } = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    return [
      rowOf('install.packed', 'MB', [statSync(path.join(folder, packed)).size / MB]),
      rowOf('install.packages', 'count', [Object.keys(packages).length]),
      rowOf('install.size', 'MB', [sizeOf(modules) / MB]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
