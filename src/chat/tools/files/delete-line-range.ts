import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { defineEdit } from './define-edit.ts';
import { filePath, lineNumber, lineRange, linesIn, textOf } from './text-lines.ts';

export const deleteLineRange = defineEdit({
  name: 'delete_line_range',
  description: 'Deletes lines start_line to end_line, both included, of a text file. The first line is 1.',
  parameters: z.object({ file_path: filePath, start_line: lineNumber, end_line: lineNumber }),
  title: ({ file_path, start_line, end_line }) => `delete lines ${start_line} to ${end_line} of ${file_path}`,
  edit: ({ file_path, start_line, end_line }, before) => {
    const text = linesIn(before);
    const deleted = lineRange(text.lines, start_line, end_line);
    return {
      text: textOf({ ...text, lines: text.lines.toSpliced(start_line - 1, deleted.length) }),
      says: `Deleted ${counted(deleted.length, 'line')} of ${file_path}.`,
    };
  },
});
