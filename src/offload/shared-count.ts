import type { IContent } from '../content/content.ts';
import { takeMoreThan } from '../content/footprint.ts';
import type { CountRequest, Engine, EntryCount } from '../history/engine.ts';
import { countOnThread } from './count-on-thread.ts';
import type { ReplicaLink } from './replica-link.ts';

/** The text from which the caller counts as well: a thread counts less in about 5 ms. */
const SHARED_BYTES = 256 * 1024;

/** Short, so that the messages that the thread waits for are sent soon. */
const CALLER_SLICE_MS = 0.5;

interface Counters {
  readonly link: ReplicaLink;
  /** Counts in slices that yield. */
  readonly caller: Pick<Engine, 'countEntries'>;
}

/**
 * Counts entries in their order. A thread counts long lists from the beginning and the caller from the end, until they
 * meet; so the caller has begun before the thread has loaded. A short list is the thread's alone.
 * @throws what the thread's link throws.
 */
export async function* sharedCount(
  entries: readonly IContent[],
  request: CountRequest,
  { link, caller }: Counters,
): AsyncGenerator<readonly EntryCount[]> {
  if (entries.length === 1 || !takeMoreThan(SHARED_BYTES, entries)) {
    yield* countOnThread(entries, request, link);
    return;
  }
  /** Entries before this one are counted by the thread. */
  let done = 0;
  /** The counts of the caller, beginning with the last entry. */
  const fromTheEnd: EntryCount[] = [];
  const countedFrom = (): number => entries.length - fromTheEnd.length;
  let isOver = false;
  const stop = (): undefined => {
    isOver = true;
  };
  /** Ends where it comes to what is done, and with an entry that fails: the thread has the last word. */
  const countFromTheEnd = async (): Promise<void> => {
    const own = { ...request, sliceMs: CALLER_SLICE_MS };
    for await (const batch of caller.countEntries(entries.toReversed(), own)) {
      for (const count of batch) {
        if ('error' in count) return;
        fromTheEnd.push(count);
      }
      if (isOver || countedFrom() <= done) return;
    }
  };
  const over = countFromTheEnd().then(stop, stop);
  const thread = countOnThread(entries, request, link);
  const ask = (): Promise<IteratorResult<readonly EntryCount[]>> => {
    const reply = thread.next();
    // Its error is thrown when its counts are needed. Counts that the caller has made meanwhile are not needed.
    reply.catch(() => {});
    return reply;
  };
  let reply = ask();
  try {
    while (done < countedFrom()) {
      const step = await (isOver ? reply : Promise.race([reply, over]));
      if (step === undefined) continue;
      if (step.done) return;
      const counts = step.value.slice(0, countedFrom() - done);
      done += counts.length;
      // The thread works on while the counts are taken.
      if (done < countedFrom()) reply = ask();
      yield counts;
    }
    yield fromTheEnd.slice(0, entries.length - done).reverse();
  } finally {
    stop();
  }
}
