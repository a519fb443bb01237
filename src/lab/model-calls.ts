import type { IContent } from '../content/content.ts';
import { isCopied, type Session } from '../formats/contract.ts';
import { type ContextMove, entriesAfter } from '../replay/context-move.ts';

/** A model call of a recorded session, at the event that adds its answer. */
export interface ModelCall {
  readonly event: number;
  /** What was sent as it was recorded, and with the changes of the context. Later entries are added to the same lists, until the context is rebuilt. */
  readonly recorded: readonly IContent[];
  readonly entries: readonly IContent[];
  readonly answer: IContent;
  /** When it was sent, in milliseconds since 1970: the time of the last entry that has one. */
  readonly atMs: number | undefined;
  /** True if it was made in another session: it is billed there. */
  readonly isCopied: boolean;
}

/** Changes of the context, in the order of the session, and who looks at each before it is applied. */
interface Changes {
  readonly moves: readonly ContextMove[];
  readonly onMove?: (move: ContextMove, entries: readonly IContent[]) => void;
}

/** The model calls of a recorded session, in order, as it was recorded or with changes of its context. Linear in entries and changes. */
export class ModelCalls implements Iterable<ModelCall> {
  readonly #session: Session;
  readonly #changes: Changes | undefined;
  #entries: IContent[] = [];

  constructor(session: Session, changes?: Changes) {
    this.#session = session;
    this.#changes = changes;
  }

  /** The context after the last event, once all calls are read. */
  get left(): readonly IContent[] {
    return this.#entries;
  }

  *[Symbol.iterator](): Generator<ModelCall> {
    let recorded: IContent[] = [];
    let atMs: number | undefined;
    let next = 0;
    this.#entries = this.#changes ? [] : recorded;
    for (const [event, played] of this.#session.events.entries()) {
      next = this.#moveUntil(event, next);
      if (played.kind === 'replace') {
        recorded = [...played.contents];
        if (!this.#changes) this.#entries = recorded;
        continue;
      }
      const { content } = played;
      if (content.speaker === 'ai') {
        const copied = isCopied(this.#session, event);
        yield { event, recorded, entries: this.#entries, answer: content, atMs, isCopied: copied };
      }
      recorded.push(content);
      if (this.#entries !== recorded) this.#entries.push(content);
      atMs = content.metadata?.timestamp ?? atMs;
    }
  }

  /** Applies the moves at this event, from move `next` on; returns the number of the one after them. */
  #moveUntil(event: number, next: number): number {
    const { moves = [], onMove } = this.#changes ?? {};
    let at = next;
    for (let move = moves[at]; move?.event === event; move = moves[++at]) {
      onMove?.(move, this.#entries);
      this.#entries = entriesAfter(this.#entries, move);
    }
    return at;
  }
}
