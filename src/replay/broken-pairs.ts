import { orphanResponses, pairCalls, unansweredCalls } from '../content/calls/pairing.ts';
import type { IContent } from '../content/content.ts';

function unpaired(history: readonly IContent[]): string[] {
  const pairing = pairCalls(history);
  return [
    ...unansweredCalls(pairing).map(({ call }) => `call ${call.id}`),
    ...orphanResponses(pairing).map(({ response }) => `response ${response.callId}`),
  ];
}

/** Number of calls and results in `after` whose partner is missing, but was not missing in `before`. Linear. */
export function brokenPairs(before: readonly IContent[], after: readonly IContent[]): number {
  const allowed = new Map<string, number>();
  for (const name of unpaired(before)) allowed.set(name, (allowed.get(name) ?? 0) + 1);
  let broken = 0;
  for (const name of unpaired(after)) {
    const left = allowed.get(name) ?? 0;
    if (left === 0) broken++;
    else allowed.set(name, left - 1);
  }
  return broken;
}
