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
export function linkResponses({ calls, responses, idCount }: HistoryIndex): ResponseLinks {
  const lastResponse = new Int32Array(calls.id.length).fill(-1);
  const previousResponse = new Int32Array(responses.id.length).fill(-1);
  /** By call: the unanswered call before it with the same id. */
  const unansweredBefore = new Int32Array(calls.id.length);
  const unanswered = new Int32Array(idCount).fill(-1);
  const latest = new Int32Array(idCount).fill(-1);
  let call = 0;
  for (let response = 0; response < responses.id.length; response++) {
    for (; call < calls.id.length && isBefore(calls, call, responses, response); call++) {
      const id = calls.id[call]!;
      unansweredBefore[call] = unanswered[id]!;
      unanswered[id] = call;
      latest[id] = call;
    }
    const id = responses.id[response]!;
    const open = unanswered[id]!;
    const owner = open === -1 ? latest[id]! : open;
    if (owner === -1) continue;
    if (open !== -1) unanswered[id] = unansweredBefore[open]!;
    previousResponse[response] = lastResponse[owner]!;
    lastResponse[owner] = response;
  }
  return { lastResponse, previousResponse };
}

function isBefore(
  calls: HistoryIndex['calls'],
  call: number,
  responses: HistoryIndex['responses'],
  response: number,
): boolean {
  const distance = calls.entry[call]! - responses.entry[response]!;
  return distance === 0 ? calls.block[call]! < responses.block[response]! : distance < 0;
}
