import type { BilledFile } from '../../../lab/files/billed-file.ts';
import { copiedIn, withRelatives } from '../../../lab/files/copied-in.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import { onFileAnswers } from '../../options/on-file-answers.ts';
import { startProgress } from '../../terminal/progress.ts';

/** The list price of the recorded calls that are a session's own; undefined if it records no usage of a model with a price. */
function dollarsOf({ calls, copiedCalls }: BilledFile): number | undefined {
  const priced = calls.filter(({ price }) => price.match !== 'unknown');
  if (priced.length > 0) return priced.reduce((sum, { dollars }) => sum + dollars, 0);
  return calls.length === 0 && copiedCalls.length > 0 ? 0 : undefined;
}

/** What each of these session files cost, as `density bill --by session` says it; reads all of each, on threads. Without those that have no known cost. */
export async function sessionCosts(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  if (files.length === 0) return costs;
  const unnamed = async () => ({ named: [], files, fromFolders: new Set(files) });
  await onFileAnswers<FileQuestion, BilledFile>('bill', { names: [], unnamed }, async (_, threads) => {
    const progress = startProgress('billing', files.length, 'sessions');
    let done = 0;
    try {
      // A call counts in the session that made it, also where that one is not listed.
      const copied = await copiedIn(withRelatives(files, files), threads);
      const questions = files.map((path): FileQuestion => {
        const runs = copied.get(path);
        return { path, ...(runs && { copied: runs }) };
      });
      await threads.ask(questions, (outcome) => {
        const dollars = 'result' in outcome ? dollarsOf(outcome.result) : undefined;
        if (dollars !== undefined) costs.set(outcome.path, dollars);
        progress.update(++done);
      });
    } finally {
      progress.stop();
    }
  });
  return costs;
}
