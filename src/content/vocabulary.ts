/** What a tool does with the workspace. `other` is everything that neither reads nor writes a file it names. */
export type ToolRole = 'read' | 'write' | 'search' | 'shell' | 'other';

/** How one tool names the files it touches. */
export interface ToolDefinition {
  readonly role: ToolRole;
  /** Parameters that hold one path; the first that is a non-empty string counts. */
  readonly pathKeys?: readonly string[];
  /** Parameters that hold several paths: a list of strings, a list of `{ path }`, or one string. */
  readonly listKeys?: readonly string[];
  /** The language of the text in `textKeys` (or of the parameters themselves, when they are a string) that names the files. */
  readonly parser?: 'apply-patch' | 'shell';
  readonly textKeys?: readonly string[];
  /** Parameter that holds the working directory of the call. */
  readonly directoryKey?: string;
  /** Parameter whose value picks the role, for tools that do several things. */
  readonly command?: { readonly key: string; readonly roles: Readonly<Record<string, ToolRole>> };
}

/** The tools of one agent, by name. Plain data, so that it crosses threads by `name` alone. */
export interface ToolVocabulary {
  readonly name: string;
  readonly tools: Readonly<Record<string, ToolDefinition>>;
}
