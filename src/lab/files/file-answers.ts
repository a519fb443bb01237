import type { Run } from '../../formats/contract.ts';

/** A question about one file. */
export interface FileQuestion {
  readonly path: string;
  /** Its calls that other files own, as runs of its answers; absent: none. */
  readonly copied?: readonly Run[];
  /** What the data folder may say of what was sent (`sentKeys`), so that no answer from before is taken; absent: nothing. */
  readonly sent?: string;
}

/** The answer about one file of many. */
export type FileOutcome<Result> =
  | { readonly path: string; readonly result: Result }
  | { readonly path: string; readonly error: unknown };

/** Answers questions about session files: on threads of this process, or on workers elsewhere. */
export interface FileAnswers<Question extends FileQuestion, Result> {
  /** Calls `onDone` with the answer to each question, in no order, and resolves when all are answered. */
  ask(questions: readonly Question[], onDone: (outcome: FileOutcome<Result>) => void | Promise<void>): Promise<void>;
  close(): Promise<void>;
}
