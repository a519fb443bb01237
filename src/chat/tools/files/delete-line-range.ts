import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { filePath, lineNumber, lineRange, linesIn, textOf } from './text-lines.ts';

export const deleteLineRange = defineTool({
  name: 'delete_line_range',
  description: 'Deletes lines start_line to end_line, both included, of a text file. The first line is 1.',
  parameters: z.object({ file_path: filePath, start_line: lineNumber, end_line: lineNumber }),
  asks: 'write',
  preview: ({ file_path, start_line, end_line }) => ({
    title: `delete lines ${start_line} to ${end_line} of ${file_path}`,
    detail: [],
  }),
  run: async ({ file_path, start_line, end_line }, { workspace, signal }) => {
    const text = linesIn(await workspace.read(file_path, signal));
    const deleted = lineRange(text.lines, start_line, end_line);
    await workspace.write(file_path, textOf({ ...text, lines: text.lines.toSpliced(start_line - 1, deleted.length) }));
    return `Deleted ${deleted.length} lines of ${file_path}.`;
  },
});
