import type { HistoryIndex } from './history-index.ts';

/** Which responses belong to each call, as rows of the index; -1 for none. */
export interface ResponseLinks {
  /** By call: the last response that belongs to it. */
  readonly lastResponse: Int32Array;
  /** By response: the one before it that belongs to the same call. */
  readonly previousResponse: Int32Array;
}

/**
 * The rule of `linkCalls` over an index: a response answers the nearest earlier unanswered call with its id; a further
 * one belongs to the nearest earlier call with it. Linear in calls and responses. Source: DESIGN section 4, row 7.
 */
export function linkResponses({ calls, responses, order, idCount }: HistoryIndex): ResponseLinks {
  const lastResponse = new Int32Array(calls.id.length).fill(-1);
  const previousResponse = new Int32Array(responses.id.length).fill(-1);
  /** By call: the unanswered call before it with the same id. */
  const unansweredBefore = new Int32Array(calls.id.length);
  const unanswered = new Int32Array(idCount).fill(-1);
  const latest = new Int32Array(idCount).fill(-1);
  for (let at = 0; at < order.length; at++) {
    const row = order[at]!;
    if (row >= 0) {
      const id = calls.id[row]!;
      unansweredBefore[row] = unanswered[id]!;
      unanswered[id] = row;
      latest[id] = row;
      continue;
    }
    const response = ~row;
    const id = responses.id[response]!;
    const open = unanswered[id]!;
    const call = open === -1 ? latest[id]! : open;
    if (call === -1) continue;
    if (open !== -1) unanswered[id] = unansweredBefore[open]!;
    previousResponse[response] = lastResponse[call]!;
    lastResponse[call] = response;
  }
  return { lastResponse, previousResponse };
}
