import type { IContent } from '../content/content.ts';
import type { OnRemoved } from './report.ts';

/**
 * What the steps of a gate replaced or removed, for a program that shows its history as it was: `note` is the `onRemoved` of
 * the gate. It holds these entries, so it takes the memory that pruning saves.
 */
export class OriginalEntries {
  readonly #byId = new Map<string, IContent>();

  /** Keeps the entries that a step changed, each as it was before its first change. Those without `metadata.id` have no name. */
  readonly note: OnRemoved = ({ changes }) => {
    for (const { before } of changes) {
      const id = before.metadata?.id;
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, before);
    }
  };

  /** The entry with this `metadata.id` as it was added; `undefined` if no step changed it. */
  of(id: string): IContent | undefined {
    return this.#byId.get(id);
  }
}
