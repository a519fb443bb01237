import type { IContent } from '../content/content.ts';
import { footprint } from '../content/footprint.ts';
import type { CountRequest, EntryCount } from '../history/engine.ts';
import { fromErrorData } from '../threads/answer.ts';
import { familyOfModel } from '../tokens/models.ts';
import type { CountTask } from './protocol.ts';
import type { ReplicaLink } from './replica-link.ts';
import { expectOutcome } from './reply-check.ts';

/**
 * Text counted for one request: beside nine others, a history with much to count at most doubles what they wait for.
 * Source: the test of ten histories; 512 kB makes it 2.1 times, and costs 4% less of the thread.
 */
export const COUNT_BYTES = 64 * 1024;
/** The same for a history that has its thread to itself. The thread waits less often for a caller that counts as well. */
const ALONE_COUNT_BYTES = 8 * COUNT_BYTES;
/** Entries asked for at once. */
export const MAX_COUNTS = 1_024;

/**
 * Counts entries on a thread, request by request, in their order; ends early when the request is aborted.
 * @throws what the link throws.
 */
export async function* countOnThread(
  entries: readonly IContent[],
  { model, fresh, signal }: CountRequest,
  link: ReplicaLink,
): AsyncGenerator<readonly EntryCount[]> {
  const family = familyOfModel(model);
  const cursor = { place: 0 };
  let countedTokens = 0;
  for (let done = 0; done < entries.length && !signal.aborted; ) {
    const budgetBytes = link.isAlone ? ALONE_COUNT_BYTES : COUNT_BYTES;
    const task = { kind: 'count', family, fresh, budgetBytes } as const;
    const { outcome } = await link.request({
      build: () => {
        const history = link.log.entries;
        const { loose, ...range } = rangeFrom(entries, done, history, cursor.place);
        cursor.place = range.from;
        return { task: { ...task, ...range }, loose };
      },
      known: () => ({ doneEntries: done, allEntries: entries.length, countedTokens }),
      signal,
      isContinued: done > 0,
    });
    if (outcome.kind === 'cancelled') return;
    const counts: EntryCount[] = [];
    for (const count of expectOutcome(outcome, 'counts').counts) {
      if (typeof count === 'number') countedTokens += count;
      counts.push(typeof count === 'number' ? { tokens: count } : { error: fromErrorData(count.error) });
    }
    cursor.place += counts.length;
    done += counts.length;
    yield counts;
  }
}

type Range = Pick<CountTask, 'list' | 'from' | 'to'> & { readonly loose: readonly IContent[] };

/** The range of the history with `entries` from `done` on, searched at `place` first; the entries themselves if the history does not contain the first one. */
function rangeFrom(entries: readonly IContent[], done: number, history: readonly IContent[], place: number): Range {
  const first = entries[done]!;
  const from = history[place] === first ? place : history.lastIndexOf(first);
  if (from === -1) return looseFrom(entries, done);
  const most = Math.min(entries.length - done, MAX_COUNTS);
  let length = 1;
  while (length < most && history[from + length] === entries[done + length]) length++;
  return { list: 'history', from, to: from + length, loose: [] };
}

function looseFrom(entries: readonly IContent[], done: number): Range {
  const loose: IContent[] = [];
  const most = Math.min(entries.length - done, MAX_COUNTS);
  for (let bytes = 0; loose.length < most && bytes < COUNT_BYTES; ) {
    const entry = entries[done + loose.length]!;
    loose.push(entry);
    bytes += footprint(entry).bytes;
  }
  return { list: 'loose', from: 0, to: loose.length, loose };
}
