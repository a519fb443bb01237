import { z } from 'zod';
import { counted } from '../../../content/counted.ts';
import { defineAskingTool, type Tool, type ToolContext } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { editDiff } from './edit-diff.ts';
import { filePath, lineNumber, lineRange, linesIn, textOf } from './text-lines.ts';

interface Edited {
  /** The whole new text of the file. */
  readonly text: string;
  /** The result for the model. */
  readonly says: string;
}

interface EditDefinition<Parameters> {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Parameters>;
  /** The question to the user, one line. */
  readonly title: (parameters: Parameters) => string;
  /** @throws ToolError if the text does not fit the parameters. */
  readonly edit: (parameters: Parameters, before: string) => Edited;
  /** True if the file need not exist or be text. */
  readonly replacesAll?: true;
}

async function textOfFile(file: string, { workspace, signal }: ToolContext, mayBeMissing: boolean): Promise<string> {
  if (!mayBeMissing) return workspace.read(file, signal);
  await workspace.resolve(file);
  try {
    return await workspace.read(file, signal);
  } catch (error) {
    if (error instanceof ToolError) return '';
    throw error;
  }
}

/** A tool that changes one file. The user sees the difference first; a file that changes meanwhile is left alone. */
function defineEdit<Parameters extends { readonly file_path: string }>(definition: EditDefinition<Parameters>): Tool {
  const { name, description, parameters: schema, title, edit, replacesAll = false } = definition;
  return defineAskingTool({
    name,
    description,
    parameters: schema,
    asks: 'write',
    async prepare(parameters, context) {
      const { file_path: file } = parameters;
      const before = await textOfFile(file, context, replacesAll);
      const { text, says } = edit(parameters, before);
      return {
        preview: { title: title(parameters), detail: editDiff(before, text) },
        async run() {
          if ((await textOfFile(file, context, replacesAll)) !== before) {
            throw new ToolError(`${file} changed while the user was asked. Nothing was written. Read it again.`);
          }
          await context.workspace.write(file, text);
          return says;
        },
      };
    },
  });
}

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
