import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { ToolError } from '../tool-error.ts';
import { defineEdit } from './define-edit.ts';
import { filePath, lineNumber, linesIn, textOf } from './text-lines.ts';

export const insertAtLine = defineEdit({
  name: 'insert_at_line',
  description: 'Inserts lines before line line_number of a text file. The number of the last line plus one appends.',
  parameters: z.object({ file_path: filePath, line_number: lineNumber, content: z.string() }),
  title: ({ file_path, line_number }) => `insert before line ${line_number} of ${file_path}`,
  edit: ({ file_path, line_number, content }, before) => {
    const text = linesIn(before);
    if (line_number > text.lines.length + 1) {
      throw new ToolError(
        `Expected line_number up to ${text.lines.length + 1}, got ${line_number}. Nothing was changed.`,
      );
    }
    const inserted = linesIn(content).lines;
    return {
      text: textOf({ ...text, lines: text.lines.toSpliced(line_number - 1, 0, ...inserted) }),
      says: `Inserted ${counted(inserted.length, 'line')} into ${file_path}.`,
    };
  },
});
