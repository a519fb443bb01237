import type { ReplayResult } from '../../../replay/result.ts';
import { counted } from '../../../report/figures.ts';

/** Before how many calls edits waited, and why; `undefined` if none waited. Why the others applied is in the table of causes. */
export function decisionLine({
  decisions: { costs = 0, bound = 0 },
}: Pick<ReplayResult, 'decisions'>): string | undefined {
  const why = [
    ...(costs > 0 ? [`${counted(costs, 'call')} (they would have cost more than they saved)`] : []),
    ...(bound > 0 ? [`${counted(bound, 'call')} (they would have invalidated signed thinking)`] : []),
  ];
  return why.length === 0 ? undefined : `edits waited before ${why.join(' and ')}`;
}
