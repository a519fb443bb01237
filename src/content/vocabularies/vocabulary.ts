import { fieldOf, isRecord } from '../foreign-value.ts';

/** What a tool does with the workspace. `other` is everything that neither reads nor writes a file it names. */
export type ToolRole = 'read' | 'write' | 'search' | 'shell' | 'other';

/** How one tool names the files it touches. */
export interface ToolDefinition {
  readonly role: ToolRole;
  /** Parameters that hold one path; the first that is a non-empty string counts. */
  readonly pathKeys?: readonly string[];
  /** Parameters that hold several paths (or, with a parser, several texts): a list of strings, a list of `{ path }`, or one string. */
  readonly listKeys?: readonly string[];
  /**
   * The language of the text in `textKeys` (or of the parameters themselves, when they are a string) that names the
   * files: a patch in Codex syntax, a POSIX shell script, or JavaScript that calls `tools.apply_patch`.
   */
  readonly parser?: 'apply-patch' | 'shell' | 'script';
  /** Parameters that hold what the tool runs or looks for; the first that is present counts. A list is an argument vector. */
  readonly textKeys?: readonly string[];
  /** Parameters that hold the working directory of the call; the first that is a non-empty string counts. */
  readonly directoryKeys?: readonly string[];
  /** The shell remembers `cd` between calls: a relative path in it names no file that can be known. */
  readonly keepsDirectory?: true;
  /** Parameter whose value picks the role, for tools that do several things; a value not listed is `other`. */
  readonly command?: { readonly key: string; readonly roles: Readonly<Record<string, ToolRole>> };
}

/** The tools of one agent, by name. Plain data, so that it crosses threads by `name` alone. */
export interface ToolVocabulary {
  readonly name: string;
  readonly tools: Readonly<Record<string, ToolDefinition>>;
}

/** The definition of a tool, `undefined` for one that the agent's vocabulary does not list. */
export function toolDefinition(vocabulary: ToolVocabulary, toolName: string): ToolDefinition | undefined {
  return Object.hasOwn(vocabulary.tools, toolName) ? vocabulary.tools[toolName] : undefined;
}

/** What this call of a tool does, which `command` may decide; `other` for unknown tools. */
export function toolRole(definition: ToolDefinition | undefined, parameters: unknown): ToolRole {
  if (definition === undefined) return 'other';
  if (definition.command === undefined) return definition.role;
  const { key, roles } = definition.command;
  const chosen = isRecord(parameters) ? fieldOf(parameters, key) : undefined;
  return typeof chosen === 'string' && Object.hasOwn(roles, chosen) ? (roles[chosen] as ToolRole) : 'other';
}
