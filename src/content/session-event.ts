import type { IContent } from './content.ts';

/**
 * What happened in a recorded session, in order, as the model saw it. `replace`: the agent rebuilt its own context
 * (compaction, cleared results, rewind); entries that are still live keep their identity.
 */
export type SessionEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly IContent[] };

/** The part of a recorded session that says what happened. */
export interface RecordedEvents {
  readonly events: readonly SessionEvent[];
}
