import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { filePath, lineNumber, linesIn, textOf } from './text-lines.ts';

export const insertAtLine = defineTool({
  name: 'insert_at_line',
  description: 'Inserts lines before line line_number of a text file. The number of the last line plus one appends.',
  parameters: z.object({ file_path: filePath, line_number: lineNumber, content: z.string() }),
  asks: 'write',
  preview: ({ file_path, line_number, content }) => ({
    title: `insert before line ${line_number} of ${file_path}`,
    detail: linesIn(content).lines.map((line) => `+${line}`),
  }),
  run: async ({ file_path, line_number, content }, { workspace, signal }) => {
    const text = linesIn(await workspace.read(file_path, signal));
    if (line_number > text.lines.length + 1) {
      throw new ToolError(
        `Expected line_number up to ${text.lines.length + 1}, got ${line_number}. Nothing was changed.`,
      );
    }
    const inserted = linesIn(content).lines;
    await workspace.write(file_path, textOf({ ...text, lines: text.lines.toSpliced(line_number - 1, 0, ...inserted) }));
    return `Inserted ${inserted.length} lines into ${file_path}.`;
  },
});
