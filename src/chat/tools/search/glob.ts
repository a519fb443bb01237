import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { searchOnThread } from './search-on-thread.ts';

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
