import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { searchOnThread } from './search-on-thread.ts';

const MAX_MATCHES = 200;

function assertExpression(pattern: string): void {
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw new ToolError(`Expected a regular expression in pattern, got ${JSON.stringify(pattern)}.`);
  }
}

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
