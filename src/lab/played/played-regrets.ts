import { editText } from '../../content/files/edit-text.ts';
import { groupBy } from '../../content/group-by.ts';
import { isCopied, type Session } from '../../formats/contract.ts';
import type { Need } from '../../needs/need.ts';
import { needsOf } from '../../needs/needs.ts';
import { SessionIndex } from '../../needs/session-index.ts';
import { TextSearch } from '../../needs/text-search.ts';
import type { ContextMove } from '../../replay/context-move.ts';
import type { CountBlock } from '../../tokens/entries/block-counter.ts';
import { playedEvents } from '../played-events.ts';
import { type Regret, RegretLedger } from '../regrets.ts';

/** The needs of later events of a session, and the places of the needed texts. */
interface SessionNeeds {
  readonly byEvent: ReadonlyMap<number, readonly Need[]>;
  readonly evidencedEdits: number;
  readonly places: SessionIndex;
  readonly texts: TextSearch;
}

/** What later events of a recorded session needed of what changes removed. Its needs are found once, for all changes; those of copied events are needs of another session. */
export class PlayedRegrets {
  readonly #session: Session;
  readonly #countBlock: CountBlock;
  #needs: SessionNeeds | undefined;

  constructor(session: Session, countBlock: CountBlock) {
    this.#session = session;
    this.#countBlock = countBlock;
  }

  /** Edits whose old text was in the context of the recorded agent. */
  get evidencedEdits(): number {
    return this.#needs !== undefined || hasEdits(this.#session) ? this.#found().evidencedEdits : 0;
  }

  /** The regrets under these changes of the context, which are in the order of the session. */
  under(moves: readonly ContextMove[]): readonly Regret[] {
    // What the recorded agent itself left out is no regret.
    if (moves.every(({ kind }) => kind === 'rebuilt')) return [];
    const needs = this.#found();
    const ledger = new RegretLedger({ ...needs, countBlock: this.#countBlock });
    for (const { at, event } of playedEvents(this.#session, { moves, onMove: (move) => ledger.move(move) })) {
      if (event.kind === 'replace') continue;
      ledger.check(needs.byEvent.get(at) ?? []);
      ledger.add(event.content);
    }
    return ledger.regrets;
  }

  #found(): SessionNeeds {
    if (this.#needs !== undefined) return this.#needs;
    const places = new SessionIndex(this.#session);
    const needs = needsOf(this.#session, places).filter(({ event }) => !isCopied(this.#session, event));
    this.#needs = {
      byEvent: groupBy(needs, ({ event }) => event),
      evidencedEdits: needs.filter(({ kind }) => kind === 'edit').length,
      places,
      texts: new TextSearch(places),
    };
    return this.#needs;
  }
}

/** True if a session has an edit that names its old text. */
function hasEdits({ events }: Session): boolean {
  return events.some(
    (event) =>
      event.kind === 'add' &&
      event.content.blocks.some((block) => block.type === 'tool_call' && (editText(block)?.before.length ?? 0) > 0),
  );
}
