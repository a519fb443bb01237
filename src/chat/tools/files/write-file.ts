import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { defineEdit } from './define-edit.ts';
import { filePath, linesIn } from './text-lines.ts';

export const writeFile = defineEdit({
  name: 'write_file',
  description: 'Writes a whole text file of the workspace. Creates the file and its folders if they are missing.',
  parameters: z.object({ file_path: filePath, content: z.string() }),
  replacesAll: true,
  title: ({ file_path }) => `write ${file_path}`,
  edit: ({ file_path, content }) => ({
    text: content,
    says: `Wrote ${file_path}: ${counted(linesIn(content).lines.length, 'line')}.`,
  }),
});
