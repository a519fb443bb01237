/** Every way in which this package refuses or fails. Callers switch on it; messages may change, codes do not. */
export type ErrorCode =
  | 'UNKNOWN_STRATEGY'
  | 'EXECUTION_FAILED'
  | 'EMPTY_SUMMARY'
  | 'TRUNCATED_SUMMARY'
  | 'SUMMARY_NOT_SMALLER'
  | 'PROMPT_RESOLUTION_FAILED'
  | 'PROVIDER_UNKNOWN'
  | 'PROVIDER_NOT_CONFIGURED'
  | 'SUMMARIES_UNREADABLE'
  | 'DENSITY_INVALID_RESULT'
  | 'DENSITY_CONFLICT'
  | 'DENSITY_INDEX_OUT_OF_BOUNDS'
  | 'DENSITY_DURING_COMPRESSION'
  | 'HISTORY_MUTATED'
  | 'HISTORY_INVALID'
  | 'HISTORY_CHANGED'
  | 'CONTEXT_WINDOW_EXCEEDED'
  | 'SETTING_UNKNOWN'
  | 'SETTING_INVALID'
  | 'SETTINGS_FILE_INVALID'
  | 'PROFILE_UNKNOWN'
  | 'PROFILE_EXISTS'
  | 'PROFILE_IN_USE'
  | 'SESSION_UNREADABLE'
  | 'SESSION_FORMAT_UNKNOWN'
  | 'SESSION_NOT_WRITABLE'
  | 'SESSION_UNKNOWN'
  | 'SESSION_IN_USE'
  | 'OUTPUT_EXISTS'
  | 'OUTPUT_FAILED'
  | 'ARCHIVE_UNKNOWN'
  | 'ARCHIVE_FULL'
  | 'VOCABULARY_UNREADABLE'
  | 'USAGE';

export interface ErrorContext {
  readonly strategy?: string;
  readonly profile?: string;
  readonly cause?: unknown;
}

/** The one error class of this package; `code` is from the closed list above. Source: docs/library.md. */
export class CompressionStrategyError extends Error {
  readonly code: ErrorCode;
  readonly strategy: string | undefined;
  readonly profile: string | undefined;

  constructor(message: string, code: ErrorCode, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = new.target.name;
    this.code = code;
    this.strategy = context.strategy;
    this.profile = context.profile;
  }
}

/** A strategy name that is not in `COMPRESSION_STRATEGIES` (ERR-001). */
export class UnknownStrategyError extends CompressionStrategyError {
  constructor(name: string, known: readonly string[]) {
    super(`Expected a compression strategy (${known.join(', ')}), got ${JSON.stringify(name)}.`, 'UNKNOWN_STRATEGY', {
      strategy: name,
    });
  }
}

/** `compress` failed; `cause` is what it threw, `isTransient` whether trying again may help. */
export class CompressionExecutionError extends CompressionStrategyError {
  readonly isTransient: boolean;

  constructor(strategy: string, cause: unknown, options: { isTransient?: boolean; profile?: string } = {}) {
    const reason = messageOf(cause);
    super(`Compression with "${strategy}" failed: ${reason}`, 'EXECUTION_FAILED', {
      strategy,
      cause,
      ...(options.profile !== undefined && { profile: options.profile }),
    });
    this.isTransient = options.isTransient ?? false;
  }
}

/** A summary that says nothing; the history is as it was. */
export class EmptySummaryError extends CompressionStrategyError {
  constructor(strategy: string) {
    super(`Expected a summary for "${strategy}", got an empty one. The history is as it was.`, 'EMPTY_SUMMARY', {
      strategy,
    });
  }
}

/** The prompt `promptId` could not be read; `cause` says why. */
export class PromptResolutionError extends CompressionStrategyError {
  constructor(promptId: string, cause?: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    super(`Expected the prompt "${promptId}" to be readable, and it is not${reason}.`, 'PROMPT_RESOLUTION_FAILED', {
      cause,
    });
  }
}

/** What an error says, or whatever else was thrown in its place. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system, such as `ENOENT`; undefined for every other. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
