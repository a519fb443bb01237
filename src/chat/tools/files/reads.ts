import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { isGlob } from '../../../content/files/workspace-path.ts';
import { defineTool } from '../contract.ts';
import { cutOutput } from '../cut-output.ts';
import { searchOnThread } from '../search/search-on-thread.ts';
import { ToolError } from '../tool-error.ts';
import { filePath, lineNumber, lineRange, linesIn } from './text-lines.ts';

const MAX_FILES = 50;

export const readManyFiles = defineTool({
  name: 'read_many_files',
  description: `Reads several text files at once, at most ${MAX_FILES}. Paths may be globs such as src/**/*.ts.`,
  parameters: z.object({
    paths: z.array(z.string().min(1)).min(1).describe('Paths or globs, relative to the workspace.'),
  }),
  run: async ({ paths }, { workspace, signal }) => {
    const files = new Set<string>();
    const whole = { root: workspace.root, folder: workspace.root, most: Number.POSITIVE_INFINITY };
    for (const given of paths) {
      if (!isGlob(given)) files.add(workspace.shown(await workspace.resolve(given)));
      else for (const file of await searchOnThread({ ...whole, glob: given }, signal)) files.add(file);
    }
    if (files.size === 0) throw new ToolError(`No file matches ${paths.join(', ')}.`);
    const parts: string[] = [];
    for (const file of [...files].slice(0, MAX_FILES)) {
      const text = await workspace.read(file, signal).catch((error: unknown) => {
        if (error instanceof ToolError) return `[${error.message}]`;
        throw error;
      });
      parts.push(`--- ${file} ---\n${text}`);
    }
    if (files.size > MAX_FILES) parts.push(`[Not read: ${counted(files.size - MAX_FILES, 'more file')} that match.]`);
    return cutOutput(parts.join('\n'), 'Read fewer files at once.');
  },
});

export const readLineRange = defineTool({
  name: 'read_line_range',
  description: 'Reads lines start_line to end_line, both included, of a text file. The first line is 1.',
  parameters: z.object({ file_path: filePath, start_line: lineNumber, end_line: lineNumber }),
  run: async ({ file_path, start_line, end_line }, { workspace, signal }) => {
    const { lines } = linesIn(await workspace.read(file_path, signal));
    return cutOutput(lineRange(lines, start_line, end_line).join('\n'), 'Read fewer lines at once.');
  },
});

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a whole text file of the workspace.',
  parameters: z.object({ file_path: filePath }),
  run: async ({ file_path }, { workspace, signal }) =>
    cutOutput(await workspace.read(file_path, signal), 'read_line_range reads a part.'),
});
