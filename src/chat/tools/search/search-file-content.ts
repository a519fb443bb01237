import { z } from 'zod';
import { oneLine } from '../../../content/lines/one-line.ts';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { filesBelow, filesMatching } from './workspace-walk.ts';

const MOST_MATCHES = 200;
const LINE_CHARS = 300;
/** Longer lines are skipped: an expression may take very long on them. */
const LONGEST_LINE_CHARS = 10_000;

function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new ToolError(`Expected a regular expression in pattern, got ${JSON.stringify(pattern)}.`);
  }
}

export const searchFileContent = defineTool({
  name: 'search_file_content',
  description: `Searches text files for a regular expression. Returns at most ${MOST_MATCHES} lines as file:line: text.`,
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('A folder to search, relative to the workspace.'),
    include: z.string().optional().describe('A glob that files must match, such as *.ts.'),
  }),
  run: async ({ pattern, path: folder, include }, { workspace, signal }) => {
    const expression = expressionOf(pattern);
    const start = folder === undefined ? workspace.root : await workspace.resolve(folder);
    const files = include === undefined ? filesBelow(start, signal) : filesMatching(workspace, include, signal, start);
    const found: string[] = [];
    for await (const file of files) {
      const text = await workspace.read(file, signal).catch(() => {
        signal.throwIfAborted();
        return '';
      });
      for (const [index, line] of text.split('\n').entries()) {
        if (line.length > LONGEST_LINE_CHARS || !expression.test(line)) continue;
        if (found.length === MOST_MATCHES) return `${found.join('\n')}\n[more lines match]`;
        found.push(`${workspace.shown(file)}:${index + 1}: ${oneLine(line, LINE_CHARS)}`);
      }
    }
    return found.join('\n') || 'Nothing matches.';
  },
});
