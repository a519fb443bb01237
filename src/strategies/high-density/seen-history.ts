import type { IContent } from '../../content/content.ts';
import { hidesEarlier } from '../../content/seen-from.ts';
import { FollowedEntries } from './incremental/followed-entries.ts';

const HIDDEN: IContent = { speaker: 'human', blocks: [] };

/** Histories as the rules read them: entries that a provider does not show its model any more are empty. */
export class SeenHistory {
  readonly #last = new FollowedEntries();
  #from = 0;

  /** The same list where the model sees everything. Reads only what is new since the last one. */
  of(history: readonly IContent[]): readonly IContent[] {
    const same = this.#last.sameIn(history);
    this.#last.follow(history, same);
    const isKnown = this.#from < same;
    let from = history.length - 1;
    while (from >= (isKnown ? same : 1) && !hidesEarlier(history[from]!)) from--;
    if (!isKnown || from >= same) this.#from = Math.max(0, from);
    return this.#from === 0 ? history : history.map((entry, at) => (at < this.#from ? HIDDEN : entry));
  }
}
