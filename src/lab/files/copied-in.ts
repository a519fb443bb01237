import path from 'node:path';
import { copiedCalls, type FileCalls } from '../../sessions/copies/copied-calls.ts';
import { relativesOf, transcriptOf } from '../../sessions/copies/family.ts';
import type { CallsQuestion } from './answering-files.ts';
import type { FileAnswers, FileQuestion } from './file-answers.ts';

/** The files, and those beside the `named` ones that may be copies of them, or what they are copies of. */
export function withRelatives(files: readonly string[], named: readonly string[]): readonly string[] {
  const known = new Set(files.map((file) => path.resolve(file)));
  const relatives = named.flatMap(relativesOf).filter((file) => !known.has(path.resolve(file)));
  return [...new Set([...files, ...relatives])];
}

/** The calls of these files that others of them own, by path. Reads each file; one that cannot be read owns nothing. */
export async function copiedIn<Question extends FileQuestion>(
  files: readonly string[],
  answers: FileAnswers<Question, unknown>,
): Promise<ReturnType<typeof copiedCalls>> {
  const calls: FileCalls[] = [];
  // One file has nothing that it could be a copy of.
  if (files.length > 1) {
    // Every worker of `answeringFiles` answers this question too.
    const asked = answers as FileAnswers<FileQuestion, unknown> as FileAnswers<CallsQuestion, FileCalls>;
    await asked.ask(
      files.map((file) => ({ path: file, only: 'calls' })),
      (outcome) => {
        if ('result' in outcome) calls.push(outcome.result);
      },
    );
  }
  return copiedCalls(calls, (file) => transcriptOf(file) !== undefined);
}
