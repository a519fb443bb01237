import { fieldOf, isRecord } from '../foreign-value.ts';
import { isPreview } from '../tools/preview.ts';

/** What a tool does with the workspace. `other`: it neither reads nor writes files that its parameters name. */
export type ToolRole = 'read' | 'write' | 'search' | 'shell' | 'other';

/** How the parameters of a tool name the files that it reads or writes. */
export interface ToolDefinition {
  readonly role: ToolRole;
  /** Parameters with one path; the first non-empty string counts. */
  readonly pathKeys?: readonly string[];
  /** Parameters with several paths (with a parser: several texts): a list of strings, a list of `{ path }`, or one string. */
  readonly listKeys?: readonly string[];
  /**
   * The language of the text that names the files, in `textKeys` or in parameters that are a string: a patch in Codex
   * syntax, a POSIX shell script, a PowerShell script, or JavaScript that calls `tools`.
   */
  readonly parser?: 'apply-patch' | 'shell' | 'powershell' | 'script';
  /** Parameters with what the tool runs or searches for; the first present one counts. A list is an argument vector. */
  readonly textKeys?: readonly string[];
  /** Parameters with the working directory of the call; the first non-empty string counts. */
  readonly directoryKeys?: readonly string[];
  /** The shell keeps its directory between calls: files with relative paths are unknown. */
  readonly keepsDirectory?: true;
  /** It writes the number of each line of a file and a tab before the line. */
  readonly numbersLines?: true;
  /** The parameter whose value decides the role, for tools with several; a value not listed here is `other`. */
  readonly command?: { readonly key: string; readonly roles: Readonly<Record<string, ToolRole>> };
}

/** The tools of one agent, by name: plain data. Tools that it does not list are known by name and shape. */
export interface ToolVocabulary {
  readonly name: string;
  readonly tools: Readonly<Record<string, ToolDefinition>>;
  /** Results of its formats have no error flag: only their text says that a call failed. */
  readonly hidesFailures?: true;
}

/** The vocabulary of a format that any agent may use: every tool is known by its name and parameters. */
export const anyAgent: ToolVocabulary = { name: 'any', tools: {}, hidesFailures: true };

/** What a call with these parameters does; `other` for unknown tools, and for a preview of a write. */
export function toolRole(definition: ToolDefinition | undefined, parameters: unknown): ToolRole {
  const role = definition === undefined ? 'other' : chosenRole(definition, parameters);
  return role === 'write' && isPreview(parameters) ? 'other' : role;
}

function chosenRole({ role, command }: ToolDefinition, parameters: unknown): ToolRole {
  if (command === undefined) return role;
  const { key, roles } = command;
  const chosen = isRecord(parameters) ? fieldOf(parameters, key) : undefined;
  return typeof chosen === 'string' && Object.hasOwn(roles, chosen) ? (roles[chosen] as ToolRole) : 'other';
}
