/**
 * `npm run docs`: builds a site from the pages and the docstrings into `.docs/site`. What it needs is installed into `.docs` by its own lock
 * file, so that `npm ci` of the repository does not install it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nameApiPages, writePages } from './docs/pages.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const TOOLS = path.join(ROOT, 'tools/docs');
const FOLDER = path.join(ROOT, '.docs');
const PAGES = path.join(FOLDER, 'pages');

const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: 'inherit' });
const installed = (name) => path.join(FOLDER, 'node_modules/.bin', name);

function install() {
  const lock = 'package-lock.json';
  const done = path.join(FOLDER, '.installed');
  const wanted = readFileSync(path.join(TOOLS, lock), 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', lock]) copyFileSync(path.join(TOOLS, file), path.join(FOLDER, file));
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], FOLDER);
  writeFileSync(done, wanted);
}

function writeApi() {
  const options = {
    entryPoints: [path.join(ROOT, 'src/index.ts'), path.join(ROOT, 'src/entries/**/*.ts')],
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    out: path.join(PAGES, 'api'),
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    name: 'API',
    router: 'module',
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    sanitizeComments: true,
    disableSources: true,
    // Types are checked by `npm test`, with the compiler of the repository.
    skipErrorChecking: true,
    // A type that no entry exports is shown by its name, without a link.
    validation: false,
    logLevel: 'Warn',
  };
  const file = path.join(FOLDER, 'typedoc.json');
  writeFileSync(file, JSON.stringify(options));
  run(installed('typedoc'), ['--options', file], FOLDER);
}

install();
rmSync(PAGES, { recursive: true, force: true });
const sidebar = writePages(PAGES);
writeApi();
mkdirSync(path.join(PAGES, '.vitepress'), { recursive: true });
copyFileSync(path.join(TOOLS, 'site.mjs'), path.join(PAGES, '.vitepress/config.mjs'));
writeFileSync(path.join(PAGES, '.vitepress/sidebar.json'), JSON.stringify([...sidebar, nameApiPages(PAGES)]));
run(installed('vitepress'), ['build', PAGES], FOLDER);
console.log(`\nIn .docs/site. To look at it: npm --prefix .docs exec vitepress preview .docs/pages`);
