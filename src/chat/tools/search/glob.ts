import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { filesMatching } from './workspace-walk.ts';

const MOST_FILES = 500;

export const glob = defineTool({
  name: 'glob',
  description: `Finds files by a glob such as **/*.test.ts, at most ${MOST_FILES}. Skips node_modules and .git.`,
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('A folder to start from, relative to the workspace.'),
  }),
  run: async ({ pattern, path: folder }, { workspace, signal }) => {
    const start = folder === undefined ? workspace.root : await workspace.resolve(folder);
    const found: string[] = [];
    for await (const file of filesMatching(workspace, pattern, signal, start)) {
      if (found.length === MOST_FILES) return `${found.join('\n')}\n[more files match]`;
      found.push(workspace.shown(file));
    }
    return found.join('\n') || 'No file matches.';
  },
});
