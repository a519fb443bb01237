import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const json = (file: string): Record<string, unknown> => JSON.parse(read(file)) as Record<string, unknown>;

const packed = (): string[] => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(said) as [{ files: { path: string }[] }];
  return files.map((file) => file.path);
};
const FILES = packed();
const PAGES = FILES.filter((file) => file.endsWith('.md'));

describe('the packed file', () => {
  test.each(PAGES)('%s links to what is packed', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].flatMap(([, link, source]) => {
      const [file = ''] = (link ?? source ?? '').split('#');
      return file === '' || /^[a-z]+:/.test(file) ? [] : [path.posix.join(path.posix.dirname(page), file)];
    });
    expect(links.filter((link) => !FILES.some((file) => file === link || file.startsWith(`${link}/`)))).toEqual([]);
  });

  test('installs without a script, under a command of its own name too', () => {
    const { name, scripts, bin } = json('package.json') as {
      name: string;
      scripts: Record<string, string>;
      bin: Record<string, string>;
    };
    // npm warns of these.
    expect(Object.keys(scripts).filter((one) => /^(?:pre|post)?(?:install|prepare)$/.test(one))).toEqual([]);
    // `npx <name>` elsewhere fetches the package of that name, which is not ours for `density`.
    expect(bin).toEqual({ density: 'dist/density.js', [name]: 'dist/density.js' });
  });

  test.each(PAGES)('%s names no command before the install that a stranger could answer', (page) => {
    const [before = ''] = read(page).split(/^npm install .*high-density-[\d.]+tgz/m);
    const told = page === 'README.md' || page === 'docs/commands.md' ? before : read(page);
    expect(told.match(/^npx density .*/gm) ?? []).toEqual([]);
    const { version } = json('package.json') as { version: string };
    const installed = [...read(page).matchAll(/^npm (?:install|i) .*?(high-density\S*)/gm)].map(([, name]) => name);
    expect(installed.filter((name) => name !== `high-density-${version}.tgz`)).toEqual([]);
  });
});

test('no file of the plugin names a package of a registry, where ours is not', () => {
  const files = readdirSync(path.join(ROOT, 'plugins'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:mjs|json|md)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(
    files.filter((file) => /npm (?:install|i) [^&;)]*\bhigh-density(?![-\w])/.test(read(`plugins/${file}`))),
  ).toEqual([]);
});

test('every package of the lock file has a hash', () => {
  const { packages } = json('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: true }>;
  };
  const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules') && !link);
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([place]) => place)).toEqual([]);
});

test('code names no file by the path of its URL, which keeps blanks encoded', () => {
  const code = ['src', 'bench', 'tools', 'workers'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?tsx?$/.test(file))
      .map((file) => path.posix.join(folder, file)),
  );
  expect(code.length).toBeGreaterThan(500);
  expect(
    code.filter((file) => /(?:packageFile|fileOf)\([^)]*\)+\.pathname|import\.meta\.url\)\.pathname/.test(read(file))),
  ).toEqual([]);
});
