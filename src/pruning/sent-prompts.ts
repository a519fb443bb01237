import type { IContent } from '../content/content.ts';
import { type PastCall, PastCalls, type SentCall } from '../economics/account/past-calls.ts';
import type { Decision } from '../economics/decision.ts';
import { sharedLength } from '../economics/prompt-cache.ts';

/** The prompts that were sent of one conversation: what the provider may have cached of the next one, and what pruning saved so far. */
export class SentPrompts {
  readonly #calls = new PastCalls();
  #entries = 0;
  #changed: Decision['changed'];

  get pastCalls(): readonly PastCall[] {
    return this.#calls.calls;
  }

  /** Entries of the last prompt that are unchanged since, from the first one on. */
  get sentEntries(): number {
    return this.#entries;
  }

  /** Notes what was applied before the next call. */
  pruned(changed: Decision['changed']): void {
    this.#changed = changed;
  }

  /** Notes that others than pruning changed the history. */
  rebuilt(before: readonly IContent[], after: readonly IContent[]): void {
    this.#entries = sharedLength(before.slice(0, this.#entries), after);
    this.#calls.rebuilt();
  }

  /** Notes a call with so many entries. */
  sent({ entries, ...call }: Omit<SentCall, 'pruned'> & { readonly entries: number }): void {
    this.#calls.sent({ ...call, pruned: this.#changed });
    this.#entries = entries;
    this.#changed = undefined;
  }
}
