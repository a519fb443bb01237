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
  const share = new CallerShare(entries, request, caller);
  const thread = countOnThread(entries, request, link);
  const ask = (): Promise<IteratorResult<readonly EntryCount[]>> => {
    const reply = thread.next();
    // Its error is thrown when its counts are needed. Counts that the caller has made meanwhile are not needed.
    reply.catch(() => {});
    return reply;
  };
  let reply = ask();
  try {
    while (share.done < share.from) {
      const step = await (share.isOver ? reply : Promise.race([reply, share.over]));
      if (step === undefined) continue;
      if (step.done) return;
      const counts = step.value.slice(0, share.from - share.done);
      share.done += counts.length;
      // The thread works on while the counts are taken.
      if (share.done < share.from) reply = ask();
      yield counts;
    }
    yield share.counts();
  } finally {
    share.stop();
  }
}

/**
 * Counts from the end of a list until it comes to what is `done`. An entry that fails ends it: the thread has the last
 * word.
 */
class CallerShare {
  /** Entries before this one are counted by the thread. */
  done = 0;
  isOver = false;
  /** Resolves when it counts no more. */
  readonly over: Promise<undefined>;
  readonly #entries: readonly IContent[];
  /** The counts, beginning with the last entry. */
  readonly #counts: EntryCount[] = [];

  constructor(entries: readonly IContent[], request: CountRequest, caller: Counters['caller']) {
    this.#entries = entries;
    const stop = (): undefined => this.stop();
    this.over = this.#count(request, caller).then(stop, stop);
  }

  /** Entries from this one on are counted. */
  get from(): number {
    return this.#entries.length - this.#counts.length;
  }

  /** The counts of the entries from `done` on, in their order. */
  counts(): readonly EntryCount[] {
    return this.#counts.slice(0, this.#entries.length - this.done).reverse();
  }

  stop(): undefined {
    this.isOver = true;
  }

  async #count(request: CountRequest, caller: Counters['caller']): Promise<void> {
    const fromTheEnd = this.#entries.toReversed();
    for await (const batch of caller.countEntries(fromTheEnd, { ...request, sliceMs: CALLER_SLICE_MS })) {
      for (const count of batch) {
        if ('error' in count) return;
        this.#counts.push(count);
      }
      if (this.isOver || this.from <= this.done) return;
    }
  }
}
