interface TextBlock {
  type: 'text';
  text: string;
}

interface ImageBlock {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string };
}

interface DocumentBlock {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string };
  title?: string | null;
  context?: string | null;
}

interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | (TextBlock | ImageBlock)[];
  is_error?: boolean;
}

export type MessageBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock;

/**
 * Blocks of any version of Anthropic's SDK. Its versions know different types of blocks, so no other type can be assigned
 * to and from the `MessageParam` of all of them (docs/readings.md, row 45).
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type VendorBlocks = any[];

/** A message of Anthropic's Messages API, or a system prompt. Source: https://docs.anthropic.com/en/api/messages */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string | MessageBlock[] | VendorBlocks;
}

/** The minimal type of a message, which fits every version of Anthropic's `MessageParam`. */
export interface MessageLike {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly { readonly type: string }[];
}

/** A message that a compaction writes: one text. */
export interface WrittenMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Receives the messages of a compaction. Without one, nothing is logged. */
export interface Logger {
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

/** Options of a call for a summary. A client can ignore them. */
export interface SummarizeOptions {
  /** The longest useful answer. */
  readonly maxOutputTokens: number;
  /** Aborted if the caller stops or the call takes too long. */
  readonly signal: AbortSignal;
}

/** Counts and summarises. The default one counts on this computer and calls Anthropic's API for the summary. */
export interface LlmClient {
  /** The tokens of all messages together, for this model. */
  countTokens(messages: readonly MessageLike[], model: string): number | Promise<number>;
  /** The answer of the model. @throws if there is none. */
  summarize(prompt: string, model: string, options: SummarizeOptions): Promise<string>;
}

/** Writes the original messages. */
export interface FileWriter {
  /** Writes a new file and its parent folders. @throws if it cannot; with `code` `EEXIST`, it is called with another name. */
  write(path: string, content: string): Promise<void>;
}

/** Options of a file reader. A reader can ignore them. */
export interface FileReadOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Reads files to restore. It gets only absolute paths inside `workDir`, each once. */
export interface FileReader {
  /** The text of the file. @throws if it cannot be read as text. */
  read(path: string, options: FileReadOptions): Promise<string>;
  exists(path: string): Promise<boolean>;
}

/** By tool that reads a file: the keys of its input with the path; the first non-empty string counts. */
export type ReadTools = Readonly<Record<string, string | readonly string[]>>;

/** Every option has a default; most can also be set in the environment (table in docs/library.md). */
export interface CompactOptions {
  /** Tokens of the model's context window: 200,000. */
  readonly contextTokenLimit?: number;
  /** Part of the window at which messages are compacted, above 0 and at most 1: 0.92. */
  readonly compactThresholdRatio?: number;
  /** The model that writes the summary and whose tokenizer counts: `claude-haiku-4-5-20251001`. */
  readonly summaryModel?: string;
  /** The most words that the prompt allows for the summary: 1,200. */
  readonly summaryMaxWords?: number;
  /** Attempts after the first failed one: 2. */
  readonly maxRetries?: number;
  /** The folder for original messages: `.compact`. */
  readonly outputDir?: string;
  /** The folder in `outputDir`: `default`. Characters that are not letters, digits, `.`, `_` or `-` become `_`. */
  readonly sessionId?: string;
  /** The most files that are restored: 5; 0 for none. */
  readonly maxRestoreFiles?: number;
  /** A file with more tokens is not restored: 5,000. */
  readonly maxRestoreTokensPerFile?: number;
  /** No more files are restored after the first one that would exceed this: 50,000. */
  readonly maxRestoreTokensTotal?: number;
  /** Only files in this folder are restored, and relative paths start here: the working directory of the process. */
  readonly workDir?: string;
  readonly llmClient?: LlmClient;
  readonly fileWriter?: FileWriter;
  readonly fileReader?: FileReader;
  readonly logger?: Logger;
  /** If aborted, the compaction stops, its file is removed, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal;
  /** Tools that read a file: `{ read_file: 'path' }`. */
  readonly readTools?: ReadTools;
  /** Time for a whole compaction: 30,000. After it, the messages are returned unchanged. */
  readonly deadlineMs?: number;
  /** Time for each call of the model: 30,000. */
  readonly callDeadlineMs?: number;
}

/** The figures of a compaction. Source: PRD, F-009. */
export interface CompactStats {
  readonly originalTokenCount: number;
  readonly compactedTokenCount: number;
  /** `compactedTokenCount / originalTokenCount`. */
  readonly compactionRatio: number;
  /** Messages that the summary replaces. */
  readonly compactedMessageCount: number;
  /** Unchanged messages at the start. */
  readonly retainedMessageCount: number;
  readonly restoredFileCount: number;
  readonly restoredTokenCount: number;
}

/** The result of a compaction. Unless `compacted`, `messages` is the same array as before. */
export interface CompactResult<M extends MessageLike = Message> {
  readonly messages: (M | WrittenMessage)[];
  readonly compacted: boolean;
  /** `null` unless `compacted`. */
  readonly stats: CompactStats | null;
  /** The file with the original messages; `null` unless `compacted`, or if it could not be written. */
  readonly originalMessagesPath: string | null;
}

/** The options for restoring files. */
export interface RestoreOptions {
  readonly maxRestoreFiles: number;
  readonly maxRestoreTokensPerFile: number;
  readonly maxRestoreTokensTotal: number;
  readonly workDir: string;
  readonly fileReader: FileReader;
  readonly logger?: Logger;
  readonly readTools?: ReadTools;
  /** The model whose tokenizer counts files. */
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/** The restored files as messages, the most recently read first, and their tokens. */
export interface RestoredFiles {
  readonly messages: WrittenMessage[];
  readonly totalTokens: number;
}
