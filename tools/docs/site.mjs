import { readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** The site of VitePress: `npm run docs` copies this file beside `sidebar.json`. A link to a page that does not exist ends the build. */
export default {
  title: 'high-density',
  description: "Keeps a coding agent's conversation inside its context window.",
  outDir: '../site',
  cacheDir: '../cache',
  srcExclude: ['public/**'],
  markdown: {
    anchor: {
      // As the usual hosts of repositories make them.
      slugify: (heading) =>
        heading
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: read('sidebar.json'),
  },
};
