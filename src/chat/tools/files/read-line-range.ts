import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { cutOutput } from '../cut-output.ts';
import { filePath, lineNumber, lineRange, linesIn } from './text-lines.ts';

export const readLineRange = defineTool({
  name: 'read_line_range',
  description: 'Reads lines start_line to end_line, both included, of a text file. The first line is 1.',
  parameters: z.object({ file_path: filePath, start_line: lineNumber, end_line: lineNumber }),
  run: async ({ file_path, start_line, end_line }, { workspace, signal }) => {
    const { lines } = linesIn(await workspace.read(file_path, signal));
    return cutOutput(lineRange(lines, start_line, end_line).join('\n'), 'Read fewer lines at once.');
  },
});
