import { GrowingPairing } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import type { CallOf } from '../../content/files/entry-label.ts';
import { entriesOf } from '../../content/session-event.ts';
import type { Session } from '../../formats/contract.ts';
import { TimeSlice } from '../../time-slice.ts';

/** The model call of each entry in a recorded session, from 1 as `replaySession` counts them. */
export class TurnIndex {
  readonly #turns = new Map<string, number>();
  readonly #pairing = new GrowingPairing();
  /** The call of each result, and the last one with each id. */
  readonly #calls = new Map<ContentBlock | string, ToolCallBlock>();

  /** The index of a session. Linear; yields to the event loop. */
  static async of(session: Session): Promise<TurnIndex> {
    const index = new TurnIndex();
    const slice = new TimeSlice();
    let turn = 0;
    for (const event of session.events) {
      if (event.kind === 'add' && event.content.speaker === 'ai') turn++;
      for (const entry of entriesOf(event)) index.#see(entry, turn);
      if (slice.isOver()) await slice.next();
    }
    return index;
  }

  /** The model call of the entry, or the last one before it; 0 before the first. */
  turnOf(entry: IContent): number {
    return this.#turns.get(entry.metadata?.id ?? '') ?? 0;
  }

  // A result that was shortened by an earlier step is another block.
  readonly callOf: CallOf = (block) =>
    this.#calls.get(block) ?? (block.type === 'tool_response' ? this.#calls.get(block.callId) : undefined);

  #see(entry: IContent, turn: number): void {
    const id = entry.metadata?.id;
    if (id === undefined || this.#turns.has(id)) return;
    this.#turns.set(id, turn);
    this.#pairing.startEntry(entry);
    for (const [at, block] of entry.blocks.entries()) {
      if (block.type === 'tool_call') this.#calls.set(block.id, block);
      const call = this.#pairing.add(block, at)?.call;
      if (call) this.#calls.set(block, call.call);
    }
  }
}
