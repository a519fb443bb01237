import { orphanResponses, pairCalls, unansweredCalls } from '../content/calls/pairing.ts';
import type { IContent } from '../content/content.ts';
import { inExcess } from '../content/group-by.ts';

function unpaired(history: readonly IContent[]): string[] {
  const pairing = pairCalls(history);
  return [
    ...unansweredCalls(pairing).map(({ call }) => `call ${call.id}`),
    ...orphanResponses(pairing).map(({ response }) => `response ${response.callId}`),
  ];
}

/** Number of calls and results in `after` whose partner is missing, but was not missing in `before`. Linear. */
export const brokenPairs = (before: readonly IContent[], after: readonly IContent[]): number =>
  inExcess(unpaired(before), unpaired(after), (name) => name).length;
