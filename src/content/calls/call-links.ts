import type { IContent } from '../content.ts';

/**
 * The calls and results of a history as parallel lists, in order; a call or a result is known by its position in its
 * lists. For very long histories: there is no object per call. `pairCalls` is easier to use.
 */
export interface CallLinks {
  readonly callEntry: readonly number[];
  readonly callBlock: readonly number[];
  /** The last result of a call, -1 for none. */
  readonly lastResponse: readonly number[];
  readonly responseEntry: readonly number[];
  readonly responseBlock: readonly number[];
  /** The call of a result, -1 for an orphan. */
  readonly responseCall: readonly number[];
  /** The previous result of the same call, -1 for none. */
  readonly previousResponse: readonly number[];
}

/** The calls with an id that is used more than once: those without a result, oldest first, and the latest. */
interface CallsOfId {
  readonly unanswered: number[];
  latest: number;
}

/**
 * The call of each result: the nearest earlier call with its id that has no result yet, because real histories reuse
 * ids; if all have one, the nearest earlier call with that id. Linear in blocks. Source: docs/readings.md, row 7.
 */
export function linkCalls(history: readonly IContent[]): CallLinks {
  const [callEntry, callBlock, lastResponse] = [[], [], []] as [number[], number[], number[]];
  const [responseEntry, responseBlock, responseCall] = [[], [], []] as [number[], number[], number[]];
  const previousResponse: number[] = [];
  const first = new Map<string, number>();
  const reused = new Map<string, CallsOfId>();
  for (let entry = 0; entry < history.length; entry++) {
    const blocks = history[entry]!.blocks;
    for (let block = 0; block < blocks.length; block++) {
      const item = blocks[block]!;
      if (item.type === 'tool_call') {
        const call = callEntry.length;
        callEntry.push(entry);
        callBlock.push(block);
        lastResponse.push(-1);
        const earlier = first.get(item.id);
        if (earlier === undefined) first.set(item.id, call);
        else {
          const known = reused.get(item.id) ?? {
            unanswered: lastResponse[earlier] === -1 ? [earlier] : [],
            latest: call,
          };
          known.unanswered.push(call);
          known.latest = call;
          reused.set(item.id, known);
        }
      } else if (item.type === 'tool_response') {
        const known = reused.get(item.callId);
        const call = known === undefined ? (first.get(item.callId) ?? -1) : (known.unanswered.pop() ?? known.latest);
        previousResponse.push(call === -1 ? -1 : lastResponse[call]!);
        if (call !== -1) lastResponse[call] = responseEntry.length;
        responseEntry.push(entry);
        responseBlock.push(block);
        responseCall.push(call);
      }
    }
  }
  return { callEntry, callBlock, lastResponse, responseEntry, responseBlock, responseCall, previousResponse };
}
