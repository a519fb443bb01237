import { z } from 'zod';
import { isRecord } from '../../content/foreign-value.ts';
import type { ToolSpecification } from '../../providers/chat-model.ts';
import type { Todo } from '../../strategies/contract.ts';
import type { Workspace } from '../workspace.ts';
import { ToolError } from './tool-error.ts';

/** Kinds of calls that the user must approve. */
export type ApprovalKind = 'write' | 'shell';

/** What a running tool can use. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly setTodos: (todos: readonly Todo[]) => void;
  /** Called with what a command prints while it runs. */
  readonly onOutput: (text: string) => void;
}

/** A call as the user sees it before approving it. */
export interface CallPreview {
  /** One line. */
  readonly title: string;
  /** Lines that start with `+`, `-`, a blank, `@@` or `\\`, as in a patch. */
  readonly detail: readonly string[];
}

/** A call with checked parameters. */
interface PreparedCall {
  /** Present where `asks` is. */
  readonly preview?: CallPreview;
  /** Returns the result for the model. @throws ToolError with a message for the model. */
  run(): Promise<string>;
}

export interface Tool extends ToolSpecification {
  /** Absent: the tool changes nothing and runs without asking. */
  readonly asks?: ApprovalKind;
  /** @throws ToolError for wrong parameters, or a call that cannot work. */
  prepare(parameters: unknown, context: ToolContext): Promise<PreparedCall>;
}

interface ToolDefinition<Parameters> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly parameters: z.ZodType<Parameters>;
}

interface AskingToolDefinition<Parameters> extends ToolDefinition<Parameters> {
  readonly asks?: ApprovalKind;
  readonly prepare: (parameters: Parameters, context: ToolContext) => Promise<PreparedCall>;
}

/** Other names that models give to `file_path`. Source: REQ-HD-005.4. */
const PATH_ALIASES = ['absolute_path', 'path'];

function withFilePath(parameters: unknown): unknown {
  if (!isRecord(parameters) || 'file_path' in parameters) return parameters;
  const alias = PATH_ALIASES.find((key) => typeof parameters[key] === 'string');
  return alias === undefined ? parameters : { ...parameters, file_path: parameters[alias] };
}

/** A tool that checks its parameters with its schema first, and is prepared before the user is asked. */
export function defineAskingTool<Parameters>(definition: AskingToolDefinition<Parameters>): Tool {
  const { name, description, parameters: schema, asks, prepare } = definition;
  const { $schema: _, ...specification } = z.toJSONSchema(schema, { io: 'input' });
  return {
    name,
    description,
    parameters: specification,
    ...(asks !== undefined && { asks }),
    async prepare(given, context) {
      const parsed = schema.safeParse(withFilePath(given));
      if (!parsed.success) throw new ToolError(`${name} cannot use these parameters: ${z.prettifyError(parsed.error)}`);
      return prepare(parsed.data, context);
    },
  };
}

/** A tool that changes nothing and checks its parameters with its schema first. */
export function defineTool<Parameters>({
  run,
  ...definition
}: ToolDefinition<Parameters> & {
  readonly run: (parameters: Parameters, context: ToolContext) => Promise<string>;
}): Tool {
  return defineAskingTool({
    ...definition,
    prepare: async (parameters, context) => ({ run: () => run(parameters, context) }),
  });
}
