import { z } from 'zod';
import { defineTool } from '../contract.ts';
import { cutOutput } from '../cut-output.ts';
import { filePath } from './text-lines.ts';

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a whole text file of the workspace.',
  parameters: z.object({ file_path: filePath }),
  run: async ({ file_path }, { workspace, signal }) =>
    cutOutput(await workspace.read(file_path, signal), 'read_line_range reads a part.'),
});
