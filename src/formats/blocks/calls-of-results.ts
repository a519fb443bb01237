import { GrowingPairing } from '../../content/calls/pairing.ts';
import type { Speaker, ToolCallBlock } from '../../content/content.ts';

/** The calls of a conversation whose results name only an id, read in order. One id can name several calls: pairs as `pairCalls` does. */
export class CallsOfResults<Call extends ToolCallBlock = ToolCallBlock> {
  readonly #pairing = new GrowingPairing();

  /** Each message begins with this. */
  startMessage(speaker: Speaker): void {
    this.#pairing.startEntry({ speaker });
  }

  add(call: Call): void {
    this.#pairing.add(call, 0);
  }

  /** The call that the next result with this id answers; undefined if there is none. */
  next(callId: string): Call | undefined {
    const result = this.#pairing.add({ type: 'tool_response', callId, toolName: '', result: undefined }, 0);
    return result?.call?.call as Call | undefined;
  }

  /** The name of its tool. */
  readonly nextName = (callId: string): string => this.next(callId)?.name ?? 'unknown';
}
