import type { IContent } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import { isCopied, type Session } from '../formats/contract.ts';
import { type ContextMove, entriesAfter } from '../replay/context-move.ts';

/** An event of a recorded session, and what was there before it. */
interface PlayedEvent {
  /** Its index. */
  readonly at: number;
  readonly event: SessionEvent;
  /**
   * The context as it was recorded, and with the changes up to this event. Later entries are added to the same lists, until
   * the context is rebuilt.
   */
  readonly recorded: readonly IContent[];
  readonly entries: readonly IContent[];
  /** The time of the last entry that has one, in milliseconds since 1970: an answer has the time of its end, so its call has this one. */
  readonly atMs: number | undefined;
  /** True if it happened in another session: it counts there. */
  readonly isCopied: boolean;
}

/** Changes of the context, in the order of the session, and who looks at each before it is applied. */
interface Changes {
  readonly moves?: readonly ContextMove[];
  readonly onMove?: (move: ContextMove, entries: readonly IContent[]) => void;
}

/** The events of a session, in order, as it was recorded or with changes of its context. Linear in entries and changes. */
export function* playedEvents(session: Session, { moves, onMove }: Changes = {}): Generator<PlayedEvent> {
  let recorded: IContent[] = [];
  let entries: IContent[] = moves ? [] : recorded;
  let atMs: number | undefined;
  let next = 0;
  for (const [at, event] of session.events.entries()) {
    for (let move = moves?.[next]; move?.event === at; move = moves?.[++next]) {
      onMove?.(move, entries);
      entries = entriesAfter(entries, move);
    }
    yield { at, event, recorded, entries, atMs, isCopied: isCopied(session, at) };
    if (event.kind === 'replace') {
      recorded = [...event.contents];
      if (!moves) entries = recorded;
      continue;
    }
    recorded.push(event.content);
    if (moves) entries.push(event.content);
    atMs = event.content.metadata?.timestamp ?? atMs;
  }
}

/** Those that are model calls, each with its answer. */
export function* modelCalls(
  session: Session,
  changes?: Changes,
): Generator<PlayedEvent & { readonly answer: IContent }> {
  for (const played of playedEvents(session, changes)) {
    const { event } = played;
    if (event.kind === 'add' && event.content.speaker === 'ai') yield { ...played, answer: event.content };
  }
}
