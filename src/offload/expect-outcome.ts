import { fromErrorData } from '../threads/error-data.ts';
import type { Outcome } from './protocol.ts';

/** `outcome` as one of this kind. @throws what the task threw on the thread. */
export function expectOutcome<Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === 'failed') throw fromErrorData(outcome.error);
  if (outcome.kind !== kind)
    throw new TypeError(`Expected the outcome \`${kind}\` of a thread, got \`${outcome.kind}\`.`);
  return outcome as Extract<Outcome, { kind: Kind }>;
}
