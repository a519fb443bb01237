import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { filePath, linesIn } from './text-lines.ts';

export const replace = defineTool({
  name: 'replace',
  description:
    'Replaces old_string, which must match the file exactly, by new_string. It must occur once, or expected_replacements times.',
  parameters: z.object({
    file_path: filePath,
    old_string: z.string().min(1),
    new_string: z.string(),
    expected_replacements: z.int().min(1).optional(),
  }),
  asks: 'write',
  preview: ({ file_path, old_string, new_string }) => ({
    title: `replace in ${file_path}`,
    detail: [
      ...linesIn(old_string).lines.map((line) => `-${line}`),
      ...linesIn(new_string).lines.map((line) => `+${line}`),
    ],
  }),
  run: async ({ file_path, old_string, new_string, expected_replacements = 1 }, { workspace, signal }) => {
    const text = await workspace.read(file_path, signal);
    const parts = text.split(old_string);
    const found = parts.length - 1;
    if (found !== expected_replacements) {
      throw new ToolError(
        `Expected old_string ${expected_replacements} times in ${file_path}, found it ${found} times. Nothing was changed.`,
      );
    }
    await workspace.write(file_path, parts.join(new_string));
    return `Replaced ${found === 1 ? 'it' : `${found} places`} in ${file_path}.`;
  },
});
