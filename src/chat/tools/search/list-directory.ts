import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';

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
