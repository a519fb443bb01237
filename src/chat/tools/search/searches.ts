import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { searchOnThread } from './search-on-thread.ts';

const MAX_NAMES = 1000;

export const listDirectory = defineTool({
  name: 'list_directory',
  description: 'Lists a folder of the workspace. Names of folders end with /.',
  parameters: z.object({ path: z.string().default('.').describe('The folder, relative to the workspace.') }),
  run: async ({ path: given }, { workspace }) => {
    const folder = await workspace.resolve(given);
    const found = await readdir(folder, { withFileTypes: true }).catch(() => {
      throw new ToolError(`${given} is not a readable folder.`);
    });
    const names = found.map((one) => (one.isDirectory() ? `${one.name}/` : one.name)).sort();
    const more = names.length > MAX_NAMES ? [`[${names.length - MAX_NAMES} more]`] : [];
    return [...names.slice(0, MAX_NAMES), ...more].join('\n') || '[empty]';
  },
});

const MAX_MATCHES = 200;

function assertExpression(pattern: string): void {
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw new ToolError(`Expected a regular expression in pattern, got ${JSON.stringify(pattern)}.`);
  }
}

const MAX_FILES = 500;

export const glob = defineTool({
  name: 'glob',
  description: `Finds files by a glob such as **/*.test.ts, at most ${MAX_FILES}. Skips node_modules and .git.`,
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('A folder to start from, relative to the workspace.'),
  }),
  run: async ({ pattern, path: given }, { workspace, signal }) => {
    const { root } = workspace;
    const folder = given === undefined ? root : await workspace.resolve(given);
    const found = await searchOnThread({ root, folder, glob: pattern, most: MAX_FILES + 1 }, signal);
    if (found.length > MAX_FILES) return `${found.slice(0, MAX_FILES).join('\n')}\n[more files match]`;
    return found.join('\n') || 'No file matches.';
  },
});

export const searchFileContent = defineTool({
  name: 'search_file_content',
  description: `Searches text files for a regular expression. Returns at most ${MAX_MATCHES} lines as file:line: text.`,
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('A folder to search, relative to the workspace.'),
    include: z.string().optional().describe('A glob that files must match, such as *.ts.'),
  }),
  run: async ({ pattern, path: given, include }, { workspace, signal }) => {
    assertExpression(pattern);
    const { root } = workspace;
    const folder = given === undefined ? root : await workspace.resolve(given);
    const glob = include === undefined ? {} : { glob: include };
    const search = { root, folder, expression: pattern, most: MAX_MATCHES + 1, ...glob };
    const found = await searchOnThread(search, signal);
    if (found.length > MAX_MATCHES) return `${found.slice(0, MAX_MATCHES).join('\n')}\n[more lines match]`;
    return found.join('\n') || 'Nothing matches.';
  },
});
