import type { z } from 'zod';
import { defineAskingTool, type Tool, type ToolContext } from '../contract.ts';
import { ToolError } from '../tool-error.ts';
import { editDiff } from './edit-diff.ts';

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
export function defineEdit<Parameters extends { readonly file_path: string }>(
  definition: EditDefinition<Parameters>,
): Tool {
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
