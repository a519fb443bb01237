import type { IContent, ToolCallBlock } from '../../content/content.ts';
import type { CallOf } from '../../content/files/entry-label.ts';
import type { Session } from '../../formats/contract.ts';
import { TimeSlice } from '../../history/time-slice.ts';

/** When what was said in a recorded session: model calls count from 1 as `replaySession` counts them. */
export class TurnIndex {
  readonly #turns = new Map<string, number>();
  readonly #calls = new Map<string, ToolCallBlock>();

  /** The index of a session. Linear in it; the thread is let go in between. */
  static async of(session: Session): Promise<TurnIndex> {
    const index = new TurnIndex();
    const slice = new TimeSlice();
    let turn = 0;
    for (const event of session.events) {
      if (event.kind === 'add' && event.content.speaker === 'ai') turn++;
      for (const entry of event.kind === 'add' ? [event.content] : event.contents) index.#see(entry, turn);
      if (slice.isOver()) await slice.next();
    }
    return index;
  }

  /** The model call that said it, or the last before it: 0 before the first. */
  turnOf(entry: IContent): number {
    return this.#turns.get(entry.metadata?.id ?? '') ?? 0;
  }

  readonly callOf: CallOf = (block) => (block.type === 'tool_response' ? this.#calls.get(block.callId) : undefined);

  #see(entry: IContent, turn: number): void {
    const id = entry.metadata?.id;
    if (id === undefined || this.#turns.has(id)) return;
    this.#turns.set(id, turn);
    for (const block of entry.blocks) if (block.type === 'tool_call') this.#calls.set(block.id, block);
  }
}
