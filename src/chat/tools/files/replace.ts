import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { ToolError } from '../tool-error.ts';
import { defineEdit } from './define-edit.ts';
import { filePath } from './text-lines.ts';

export const replace = defineEdit({
  name: 'replace',
  description:
    'Replaces old_string, which must match the file exactly, by new_string. It must occur once, or expected_replacements times.',
  parameters: z.object({
    file_path: filePath,
    old_string: z.string().min(1),
    new_string: z.string(),
    expected_replacements: z.int().min(1).optional(),
  }),
  title: ({ file_path }) => `replace in ${file_path}`,
  edit: ({ file_path, old_string, new_string, expected_replacements = 1 }, before) => {
    const parts = before.split(old_string);
    const found = parts.length - 1;
    if (found !== expected_replacements) {
      throw new ToolError(
        `Expected old_string ${counted(expected_replacements, 'time')} in ${file_path}, found it ${counted(found, 'time')}. Nothing was changed.`,
      );
    }
    return {
      text: parts.join(new_string),
      says: `Replaced ${found === 1 ? 'it' : counted(found, 'place')} in ${file_path}.`,
    };
  },
});
