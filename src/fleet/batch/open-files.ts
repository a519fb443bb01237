import { addTo } from '../../content/group-by.ts';
import type { FileOutcome } from '../../lab/files/file-answers.ts';
import { fromErrorData } from '../../threads/answer.ts';
import type { AskedFile, ShardFile } from './file-queue.ts';
import type { StoredOutcome } from './result-store.ts';

/** The files without an outcome. Files with equal bytes share one. */
export class OpenFiles<Result> {
  readonly #paths = new Map<string, string[]>();
  readonly #onDone: (outcome: FileOutcome<Result>) => void | Promise<void>;

  constructor(files: readonly AskedFile[], onDone: (outcome: FileOutcome<Result>) => void | Promise<void>) {
    this.#onDone = onDone;
    for (const { key, asked: path } of files) addTo(this.#paths, key, path);
  }

  get size(): number {
    return this.#paths.size;
  }

  has(key: string): boolean {
    return this.#paths.has(key);
  }

  keys(): string[] {
    return [...this.#paths.keys()];
  }

  async take(outcomes: ReadonlyMap<string, StoredOutcome>): Promise<void> {
    for (const [key, outcome] of outcomes) {
      for (const path of this.#remove(key)) {
        await this.#onDone(outcomeAt<Result>(path, outcome));
      }
    }
  }

  async fail(files: readonly ShardFile[], reason: string): Promise<void> {
    for (const { key } of files)
      for (const path of this.#remove(key)) await this.#onDone({ path, error: new Error(`${path}: ${reason}`) });
  }

  #remove(key: string): readonly string[] {
    const paths = this.#paths.get(key) ?? [];
    this.#paths.delete(key);
    return paths;
  }
}

/** What was found in a file with the same bytes, with the path that was asked about. */
function outcomeAt<Result>(path: string, outcome: StoredOutcome): FileOutcome<Result> {
  if ('result' in outcome) return { path, result: { ...(outcome.result as Result), path } };
  const message = outcome.error.message.replaceAll(outcome.path, path);
  return { path, error: fromErrorData({ ...outcome.error, message }) };
}
