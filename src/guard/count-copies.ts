import { pairCalls } from '../content/calls/pairing.ts';
import type { IContent, ToolResponseBlock } from '../content/content.ts';
import type { GuardKind } from './guard-log.ts';
import { isNotice, isRefusal } from './refusal.ts';

const textOf = ({ result, error }: ToolResponseBlock): string =>
  `${typeof result === 'string' ? result : ''}${error ?? ''}`;

/** Copied markers in a history as it was sent, by what its results say was done about them. Linear. */
export function countCopies(history: readonly IContent[]): Readonly<Record<GuardKind, number>> {
  const counts = { refused: 0, told: 0, passed: 0 };
  const refused = new Set<string>();
  for (const { response, call } of pairCalls(history).responses) {
    const same = JSON.stringify([call?.call.name, call?.call.parameters]);
    if (isRefusal(textOf(response))) {
      counts.refused++;
      refused.add(same);
    } else if (refused.has(same)) counts.passed++;
    else if (isNotice(textOf(response))) counts.told++;
  }
  return counts;
}
