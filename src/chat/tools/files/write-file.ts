import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { filePath, linesIn } from './text-lines.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Writes a whole text file of the workspace. Creates the file and its folders if they are missing.',
  parameters: z.object({ file_path: filePath, content: z.string() }),
  asks: 'write',
  preview: ({ file_path, content }) => ({
    title: `write ${file_path}`,
    detail: linesIn(content).lines.map((line) => `+${line}`),
  }),
  run: async ({ file_path, content }, { workspace }) => {
    await workspace.write(file_path, content);
    return `Wrote ${file_path}: ${linesIn(content).lines.length} lines.`;
  },
});
