import type { ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { addTo } from '../content/group-by.ts';
import type { RecordedEvents } from '../content/session-event.ts';

/** The results of a session, to be found before their event. */
export class LaterResults {
  /** By id of a call, in order. */
  readonly #results = new Map<string, { readonly event: number; readonly result: ToolResponseBlock }[]>();

  constructor({ events }: RecordedEvents) {
    for (const [event, played] of events.entries()) {
      if (played.kind !== 'add') continue;
      for (const block of played.content.blocks) {
        if (block.type !== 'tool_response') continue;
        addTo(this.#results, block.callId, { event, result: block });
      }
    }
  }

  /** The first result of a call at or after this event; `undefined` if there is none. */
  of(call: ToolCallBlock, event: number): ToolResponseBlock | undefined {
    return this.#results.get(call.id)?.find((later) => later.event >= event)?.result;
  }
}
