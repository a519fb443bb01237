import type { Message, MessageLike, WrittenMessage } from './message.ts';

/** Where a compaction says what it did. Nothing is logged unless one is given. */
export interface Logger {
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

/** What a summarising call is told beside its prompt. A client that ignores it still works. */
export interface SummarizeOptions {
  /** The longest answer that makes sense. */
  readonly maxOutputTokens: number;
  /** Aborted when the caller gives up or the call takes too long. */
  readonly signal: AbortSignal;
}

/** Counts and summarises. The default one counts on this computer and asks Anthropic's API for the summary. */
export interface LlmClient {
  /** Tokens of all messages together, as the model counts them. */
  countTokens(messages: readonly MessageLike[], model: string): number | Promise<number>;
  /** The model's answer to the prompt. @throws when there is none. */
  summarize(prompt: string, model: string, options: SummarizeOptions): Promise<string>;
}

/** Keeps the original messages. */
export interface FileWriter {
  /** Writes a new file, parent folders included. @throws when it cannot; with `code` `EEXIST` to be asked for another name. */
  write(path: string, content: string): Promise<void>;
}

/** How much of a file is of use, and until when. A reader that ignores it still works. */
export interface FileReadOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Reads files back. It is asked only for absolute paths that are inside `workDir`, each once. */
export interface FileReader {
  /** The text of the file. @throws when it cannot be read as text. */
  read(path: string, options: FileReadOptions): Promise<string>;
  exists(path: string): Promise<boolean>;
}

/** Which tools read a file, and the keys of their input that may name it; the first that is a non-empty string counts. */
export type ReadTools = Readonly<Record<string, string | readonly string[]>>;

/** Every option has a default; most may stand in the environment as well (docs/library.md has the table). */
export interface CompactOptions {
  /** Tokens of the model's context window: 200,000. */
  readonly contextTokenLimit?: number;
  /** Share of the window at which messages are compacted, above 0 and at most 1: 0.92. */
  readonly compactThresholdRatio?: number;
  /** The model that writes the summary, and by whose tokenizer everything is counted: `claude-haiku-4-5-20251001`. */
  readonly summaryModel?: string;
  /** The most words that the summary is asked to have: 1,200. */
  readonly summaryMaxWords?: number;
  /** Further attempts after a summary that failed: 2. */
  readonly maxRetries?: number;
  /** Where original messages are kept: `.compact`. */
  readonly outputDir?: string;
  /** The folder in `outputDir`: `default`. Characters that are not letters, digits, `.`, `_` or `-` become `_`. */
  readonly sessionId?: string;
  /** 5. With 0 no file is restored. */
  readonly maxRestoreFiles?: number;
  /** A file with more tokens is left out: 5,000. */
  readonly maxRestoreTokensPerFile?: number;
  /** Restoring stops before the file that would exceed it: 50,000. */
  readonly maxRestoreTokensTotal?: number;
  /** Only files inside it are restored; relative paths start here. The working directory of the process. */
  readonly workDir?: string;
  readonly llmClient?: LlmClient;
  readonly fileWriter?: FileWriter;
  readonly fileReader?: FileReader;
  readonly logger?: Logger;
  /** Aborted: the compaction is given up, what it wrote is removed, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal;
  /** Tools that read a file: `{ read_file: 'path' }`. */
  readonly readTools?: ReadTools;
  /** For everything together: 30,000. When it has passed, the messages are returned as they were. */
  readonly deadlineMs?: number;
  /** For each call of the model: 30,000. */
  readonly callDeadlineMs?: number;
}

/** What a compaction changed. Source: PRD, F-009. */
export interface CompactStats {
  readonly originalTokenCount: number;
  readonly compactedTokenCount: number;
  /** `compactedTokenCount / originalTokenCount`. */
  readonly compactionRatio: number;
  /** Messages that the summary stands for. */
  readonly compactedMessageCount: number;
  /** Messages of the head, which are as they were. */
  readonly retainedMessageCount: number;
  readonly restoredFileCount: number;
  readonly restoredTokenCount: number;
}

/** `messages` is the very array that was given unless `compacted`. */
export interface CompactResult<M extends MessageLike = Message> {
  readonly messages: (M | WrittenMessage)[];
  readonly compacted: boolean;
  /** `null` unless `compacted`. */
  readonly stats: CompactStats | null;
  /** Where the compacted messages are kept as they were; `null` unless `compacted`, or when they could not be written. */
  readonly originalMessagesPath: string | null;
}

/** What of the options concerns the restoring of files. */
export interface RestoreOptions {
  readonly maxRestoreFiles: number;
  readonly maxRestoreTokensPerFile: number;
  readonly maxRestoreTokensTotal: number;
  readonly workDir: string;
  readonly fileReader: FileReader;
  readonly logger?: Logger;
  readonly readTools?: ReadTools;
  /** By whose tokenizer files are measured. */
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/** The restored files as messages, the most recently read first, and the tokens of their contents. */
export interface RestoredFiles {
  readonly messages: WrittenMessage[];
  readonly totalTokens: number;
}
