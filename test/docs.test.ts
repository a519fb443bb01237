import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorOf, headingsOf } from './headings.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const filesBelow = (folder: string, pattern: RegExp): string[] =>
  !existsSync(path.join(ROOT, folder))
    ? []
    : readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
        .filter((file) => pattern.test(file) && statSync(path.join(ROOT, file)).isFile());

/** Code of every folder that cites documents, with the lines of a comment joined. */
const CODE = ['src', 'workers', 'test', 'bench', 'tools', 'examples']
  .flatMap((folder) => filesBelow(folder, /\.m?tsx?$|\.mjs$/))
  .filter((file) => file !== 'test/docs.test.ts')
  .map((file) => ({ file, text: read(file).replace(/\n\s*(?:\*|\/\/) ?/g, ' ') }));

const PAGES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['docs', 'bench', 'examples'].flatMap((folder) => filesBelow(folder, /\.md$/)),
];

/** Paths that tests invent; they are no references. */
const INVENTED = new Set(['docs/plan.md']);

/** What follows the name of a page: rows, headings or bold words in quotes, code. */
const PLACE = /^(?:,|;? and)? (?:"([^"]+)"|`([^`]+)`|rows? (\d+(?:(?:, | and | to )\d+)*))/;

function rowsOf(list: string): number[] {
  return list.split(/, | and /).flatMap((part) => {
    const [from = 0, to = from] = part.split(' to ').map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/** The places that one reference names, and of these the ones that its page does not have. */
function missingPlaces(page: string, tail: string): string[] {
  const missing: string[] = [];
  const headings = headingsOf(page).map((heading) => heading.toLowerCase());
  for (let rest = tail, match = PLACE.exec(rest); match; match = PLACE.exec(rest)) {
    const [all, quoted, code, rows] = match;
    if (quoted !== undefined && !headings.includes(quoted.toLowerCase()) && !page.includes(`**${quoted}**`))
      missing.push(`"${quoted}"`);
    if (code !== undefined && !page.includes(`\`${code}`)) missing.push(`\`${code}\``);
    if (rows !== undefined)
      missing.push(
        ...rowsOf(rows)
          .filter((row) => !page.includes(`\n| ${row} |`))
          .map((row) => `row ${row}`),
      );
    rest = rest.slice(all.length);
  }
  return missing;
}

describe('what code cites', () => {
  test('every page, row, heading and name that code refers to exists', () => {
    const found = CODE.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w./-])docs\/[\w-]+\.md/g)]
        .filter(([page]) => !INVENTED.has(page))
        .map(({ 0: page, index }) => ({
          file,
          page,
          tail: text.slice(index + page.length, index + page.length + 200),
        })),
    );
    const broken = found.flatMap(({ file, page, tail }) =>
      existsSync(path.join(ROOT, page))
        ? missingPlaces(read(page), tail).map((place) => `${file}: ${page} has no ${place}`)
        : [`${file}: no ${page}`],
    );
    expect(found.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  test('every requirement, rule, edge case and error that code cites is in docs/requirements.md', () => {
    const requirements = read('docs/requirements.md');
    const known = new Set([
      ...[...requirements.matchAll(/^\| ((?:REQ-HD|BR|EC|ERR|UC|F)-[\w.-]+) \|/gm)].map(([, id]) => id),
      ...[...requirements.matchAll(/^### (REQ-HD-\d{3}):/gm)].map(([, id]) => id),
    ]);
    const cited = CODE.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /\b(?:(REQ-HD-)(\d{3}(?:\.\d+)?)|(BR-[A-Z]+-|EC-|ERR-)(\d{3})|((?:F|UC)-)(00\d))((?:(?:,| and| to) \d{3}(?:\.\d+)?\b)*)/g,
        ),
      ].flatMap(([, required, requirement, ruled, rule, featured, feature, more = '']) => {
        const prefix = required ?? ruled ?? featured ?? '';
        const further = [...more.matchAll(/\d{3}(?:\.\d+)?/g)].map(([id]) => id);
        return [requirement ?? rule ?? feature ?? '', ...further].map((id) => ({ file, id: `${prefix}${id}` }));
      }),
    );
    expect(cited.length).toBeGreaterThan(300);
    expect(cited.filter(({ id }) => !known.has(id)).map(({ file, id }) => `${file}: ${id}`)).toEqual([]);
  });

  test('every law that code cites is in docs/readings.md', () => {
    const [, section = ''] = read('docs/readings.md').split('\n## Laws\n');
    const laws = new Set([...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => number));
    const cited = CODE.flatMap(({ file, text }) =>
      [...text.matchAll(/\blaws? (\d+(?:(?:, | and | to |, law )\d+)*)/g)].flatMap(([, list = '']) =>
        (list.match(/\d+/g) ?? []).map((number) => ({ file, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ number }) => !laws.has(number))).toEqual([]);
  });
});

describe('the pages', () => {
  test.each(PAGES)('%s links to files and headings that exist', (page) => {
    const broken = [...read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].flatMap(([, link, source]) => {
      const target = link ?? source ?? '';
      if (/^[a-z]+:/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      const at = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(ROOT, at))) return [`no file ${target}`];
      if (anchor === undefined || headingsOf(read(at)).map(anchorOf).includes(anchor)) return [];
      return [`no heading ${target}`];
    });
    expect(broken).toEqual([]);
  });

  test.each(PAGES)('%s names files that exist', (page) => {
    const named = read(page).matchAll(/`((?:src|workers|test|bench|tools|examples|docs)\/[\w./-]*\w)\/?`/g);
    expect([...named].map(([, file = '']) => file).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test.each([
    ['README.md', 'prune'],
    ['docs/library.md', 'agent-loop'],
    ['docs/adapters.md', 'with-ai-sdk'],
    ['docs/adapters.md', 'with-fetch'],
    ['docs/adapters.md', 'with-messages'],
  ])('%s shows the very example that is run: %s', (page, example) => {
    expect(read(page)).toContain(`\`\`\`ts\n${read(`examples/${example}.ts`)}\`\`\``);
  });

  test('the site has each page in one section', () => {
    const sections = JSON.parse(read('tools/docs/sections.json')) as Record<string, readonly string[]>;
    expect(Object.values(sections).flat().sort()).toEqual([...PAGES].sort());
  });

  test('docs/library.md lists the entries of the package', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
    const listed = [...read('docs/library.md').matchAll(/^\| `high-density(\S*)` \|/gm)].map(
      ([, entry]) => `.${entry}`,
    );
    expect(listed.sort()).toEqual(entries.sort());
  });

  test('docs/architecture.md lists the rooms in their order', () => {
    const [, section = ''] = read('docs/architecture.md').split('\n## Rooms\n');
    const [table = ''] = /^\|.*(?:\n\|.*)*/m.exec(section) ?? [];
    const listed = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, room]) => room);
    const [, rooms = ''] = /const ROOMS = ([^;]+);/.exec(read('test/architecture.test.ts')) ?? [];
    const names = (rooms.match(/(?<=[ '])[a-z-]+(?=[ '])/g) ?? []).filter((room) =>
      existsSync(path.join(ROOT, 'src', room)),
    );
    expect(listed).toEqual(names);
  });
});

/** Lines that fetch a package by one of our names, which somebody else may have. `npx` takes `density` from a project that has it, and from the registry elsewhere. */
const FROM_REGISTRY =
  /\b(?:npx|bunx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx|create|add|install|i))(?: -{1,2}[\w-]+)* (?:density|high-density)(?![\w./-])/;

test('no line that is documented, printed or run takes our package from the registry, where it is not', () => {
  for (const line of [
    'npx density wrap claude',
    'npx --yes high-density',
    'npm install -g high-density',
    'pnpm dlx density',
  ])
    expect(line).toMatch(FROM_REGISTRY);
  expect('npm install ./high-density-0.1.0.tgz').not.toMatch(FROM_REGISTRY);
  const files = [
    ...PAGES.filter((page) => !/changelog/i.test(page)),
    ...filesBelow('plugins', /./),
    ...filesBelow('examples', /^(?!.*node_modules)/),
    ...filesBelow('src', /\.ts$/),
  ];
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) => (FROM_REGISTRY.test(line) ? `${file}:${at + 1}: ${line.trim()}` : [])),
  );
  expect(found).toEqual([]);
});
