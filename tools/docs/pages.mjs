import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The pages of the site, by what a reader wants. */
const SECTIONS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'sections.json'), 'utf8'));
const PAGES = Object.values(SECTIONS).flat();

/** The file of the site for a page of the repository. A README is the first page of its folder. */
const fileOfPage = (page) => page.replace(/README\.md$/, 'index.md');
const urlOf = (page) => `/${fileOfPage(page).replace(/(?:index)?\.md$/, '')}`;
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(path.join(ROOT, page), 'utf8'))[1].replaceAll('`', '');

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Writes a page with the names of the files of a folder, which the site has as they are. */
function writeFolder(site, folder) {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.relative(folder, path.relative(ROOT, path.join(entry.parentPath, entry.name))))
    // Many servers do not serve names that begin with a dot.
    .filter((file) => !/(?:^|\/)\./.test(file))
    .sort();
  const name = path.posix.basename(folder);
  write(
    path.join(site, `${folder}.md`),
    `# ${folder}\n\n${files.map((file) => `- [${file}](${name}/${file}){target="_self"}`).join('\n')}\n`,
  );
  cpSync(path.join(ROOT, folder), path.join(site, 'public', folder), { recursive: true });
}

/** The target of a link of a page as the site has it. Files that are no page are copied; one without an extension is shown. */
function siteLink(site, page, link) {
  if (/^(?:[a-z]+:|#)/.test(link)) return link;
  const [file, anchor] = link.split('#');
  const target = path.posix.join(path.posix.dirname(page), file);
  const isFolder = statSync(path.join(ROOT, target)).isDirectory();
  const readme = path.posix.join(target, 'README.md');
  if (isFolder && PAGES.includes(readme)) return path.posix.join(file, 'index.md');
  if (isFolder && target === 'docs')
    return path.posix.join(path.posix.relative(path.posix.dirname(page), '.'), 'index.md');
  if (isFolder) {
    writeFolder(site, target);
    return link;
  }
  if (PAGES.includes(target)) return `${fileOfPage(file)}${anchor === undefined ? '' : `#${anchor}`}`;
  if (target.endsWith('.md'))
    throw new Error(`${page} links to ${target}, which no section of tools/docs/sections.json has.`);
  if (path.extname(target) === '') {
    write(
      path.join(site, `${target}.md`),
      `# ${target}\n\n\`\`\`\n${readFileSync(path.join(ROOT, target), 'utf8')}\`\`\`\n`,
    );
    return link;
  }
  cpSync(path.join(ROOT, target), path.join(site, 'public', target));
  return link;
}

/** Writes the pages of the repository into the folder of a site; returns its sidebar. */
export function writePages(site) {
  mkdirSync(path.join(site, 'public'), { recursive: true });
  cpSync(path.join(ROOT, 'docs/images'), path.join(site, 'docs/images'), { recursive: true });
  for (const page of PAGES) {
    const text = readFileSync(path.join(ROOT, page), 'utf8').replace(
      /(?<!!)(\[[^\]]*\])\(([^)\s]+)\)/g,
      (_, words, link) => `${words}(${siteLink(site, page, link)})`,
    );
    write(path.join(site, fileOfPage(page)), text);
  }
  return Object.entries(SECTIONS).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({ text: titleOf(page), link: urlOf(page) })),
  }));
}

/** Gives the pages of the API the names under which a program imports them; returns their part of the sidebar. */
export function nameApiPages(site) {
  const folder = path.join(site, 'api');
  const names = new Map();
  for (const file of readdirSync(folder, { recursive: true })
    .filter((one) => one.endsWith('.md'))
    .sort()) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const renamed = text.replace(/^# (?:entries\/(?:adapters\/)?([\w-]+)|index)$/m, (_, entry) => {
      names.set(file, entry === undefined ? 'high-density' : `high-density/${entry}`);
      return `# ${names.get(file)}`;
    });
    writeFileSync(
      path.join(folder, file),
      renamed.replace(/^- \[(?:entries\/(?:adapters\/)?([\w-]+)|index)\]/gm, (_, entry) =>
        entry === undefined ? '- [high-density]' : `- [high-density/${entry}]`,
      ),
    );
  }
  const items = [...names].map(([file, text]) => ({ text, link: `/api/${file.replace(/\.md$/, '')}` }));
  if (items.length === 0 || !existsSync(path.join(folder, 'index.md'))) throw new Error('typedoc wrote no pages.');
  return { text: 'API', collapsed: true, items: items.sort((one, other) => one.text.localeCompare(other.text)) };
}
