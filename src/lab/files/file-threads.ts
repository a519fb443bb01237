import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import { guardCopies } from '../../disk/opencode-database/private-copy.ts';
import { ThreadHost } from '../../threads/thread-host.ts';
import type { FileAnswers, FileOutcome, FileQuestion } from './file-answers.ts';

/** Threads that answer questions about session files. They load their modules at once, while the main thread still searches for files. */
export class FileThreads<Question extends FileQuestion, Result> implements FileAnswers<Question, Result> {
  /** One thread each, so that a lost thread does not end the others' work. */
  readonly #hosts: readonly ThreadHost<Question, Result>[];

  /** `file` is built JavaScript. */
  constructor(threads: number, file: URL) {
    this.#hosts = Array.from({ length: threads }, () => new ThreadHost({ workerFile: file }));
    for (const host of this.#hosts) host.start();
  }

  /**
   * Asks each question on the first free thread, and resolves when all are answered; `onDone` is called with each answer, in
   * no order. A lost thread costs only its current file.
   */
  async ask(
    questions: readonly Question[],
    onDone: (outcome: FileOutcome<Result>) => void | Promise<void>,
  ): Promise<void> {
    const waiting = [...questions];
    const release = questions.some(({ path }) => databaseAt(path) !== undefined) ? guardCopies() : undefined;
    const lane = async (host: ThreadHost<Question, Result>): Promise<void> => {
      for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
        await onDone(await askOn(host, question));
      }
    };
    await Promise.all(this.#hosts.map(lane)).finally(() => release?.());
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}

async function askOn<Question extends FileQuestion, Result>(
  host: ThreadHost<Question, Result>,
  question: Question,
): Promise<FileOutcome<Result>> {
  const { path } = question;
  try {
    return { path, result: await host.run(() => question) };
  } catch (error) {
    return { path, error };
  }
}
