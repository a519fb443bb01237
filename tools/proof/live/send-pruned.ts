import type { Pruned, Pruner } from '../../../src/live/contract.ts';
import type { Accepted, Refused } from '../../../src/strict-provider/contract.ts';

/** What was sent last, and its answer; `first`: what was refused before that. */
export interface Answered extends Pruned<object> {
  readonly outcome: Accepted | Refused;
  readonly first?: Pruned<object>;
}

/** Sends a request as the proxy does: after a 400 once more without what is new in it, and tells the pruner each answer. */
export async function sendPruned(
  pruner: Pick<Pruner, 'observe'>,
  pruned: Pruned<object>,
  receive: (body: object) => Accepted | Refused,
): Promise<Answered> {
  const outcome = receive(pruned.body);
  await tell(pruner, pruned, outcome);
  const again = outcome.status === 200 ? undefined : pruned.withoutNew?.();
  if (again === undefined) return { ...pruned, outcome };
  const second = receive(again.body);
  await tell(pruner, again, second);
  return { ...again, outcome: second, first: pruned };
}

/** Tells the pruner an answer, as the proxy does. */
export const tell = (
  pruner: Pick<Pruner, 'observe'>,
  { report }: Pick<Pruned<object>, 'report'>,
  outcome: Accepted | Refused,
): Promise<void> =>
  outcome.status === 200
    ? pruner.observe(report, { status: 200, answerTokens: outcome.tokens.output, cachedTokens: outcome.tokens.read })
    : pruner.observe(report, { status: outcome.status, error: outcome.message });
