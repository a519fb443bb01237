import type { IContent } from './content.ts';

/**
 * One event of a recorded session, as the model saw it. `replace`: the agent rebuilt its context (compaction, cleared
 * results, rewind); an entry that is still in the context is the same object as before.
 */
export type SessionEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly IContent[] };

/** The events of a recorded session, in order. */
export interface RecordedEvents {
  readonly events: readonly SessionEvent[];
}
