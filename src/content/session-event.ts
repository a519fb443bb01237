import type { IContent } from './content.ts';

/** What an agent recorded about a cut that it made in its own context. */
export interface ContextCut {
  /** `compaction`: a summary, or nothing, replaces earlier entries. `clearing`: entries remain, and lose text. */
  readonly kind: 'compaction' | 'clearing';
  /** What started it, as the agent names it. */
  readonly trigger?: string;
  /** Tokens of the whole context before it, as the agent counted them. */
  readonly beforeTokens?: number;
}

/**
 * One event of a recorded session, as the model saw it. `replace`: the agent rebuilt its context; an entry that is still in
 * the context is the same object as before. `by` is present if the recording says that the agent cut its context, and absent
 * for a rewind, another branch or a new conversation.
 */
export type SessionEvent =
  | { readonly kind: 'add'; readonly content: IContent }
  | { readonly kind: 'replace'; readonly contents: readonly IContent[]; readonly by?: ContextCut };

/** The events of a recorded session, in order. */
export interface RecordedEvents {
  readonly events: readonly SessionEvent[];
}

/** The entries that an event adds, or all that are in the context after it. */
export const entriesOf = (event: SessionEvent): readonly IContent[] =>
  event.kind === 'add' ? [event.content] : event.contents;
