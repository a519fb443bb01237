import { fileBytes } from '../../disk/file-bytes.ts';
import { formatNamed } from '../../formats/index.ts';
import { type FileCalls, sessionCalls, withCopied } from '../../sessions/copies/copied-calls.ts';
import { type ReadSession, readSession } from '../../sessions/read-session.ts';
import { answering } from '../../threads/answer.ts';
import type { FileQuestion } from './file-answers.ts';

/** The first question about files that may be copies of others: which calls are in each? */
export interface CallsQuestion extends FileQuestion {
  readonly only: 'calls';
}

/** The session that is asked about, without what other files own. @throws CompressionStrategyError as `readSession`. */
export function askedSession(
  { path, copied, format }: FileQuestion & { readonly format?: string | undefined },
  bytes = fileBytes(path),
): ReadSession {
  const forced = format === undefined ? undefined : formatNamed(format);
  const read = readSession(bytes, { forced });
  return { ...read, session: withCopied(read.session, copied) };
}

const fileCalls = (question: CallsQuestion): FileCalls => ({
  path: question.path,
  ...sessionCalls(askedSession(question).session),
});

/** A worker that answers questions about files by `perform`, and says which calls are in them. */
export const answeringFiles = <Question extends FileQuestion, Result>(
  perform: (question: Question) => Result | Promise<Result>,
) =>
  answering((question: Question | CallsQuestion): Result | FileCalls | Promise<Result> =>
    'only' in question ? fileCalls(question) : perform(question),
  );
