import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import type { GuardKind } from './guard-log.ts';
import { isNotice, isRefusal } from './refusal.ts';

const textOf = (block: ContentBlock): string =>
  block.type === 'tool_response' ? `${typeof block.result === 'string' ? block.result : ''}${block.error ?? ''}` : '';

/** Copied markers in a history as it was sent, by what its results say was done about them. Linear. */
export function countCopies(history: readonly IContent[]): Readonly<Record<GuardKind, number>> {
  const counts = { refused: 0, told: 0, passed: 0 };
  const calls = new Map<string, ToolCallBlock>();
  const refused = new Set<string>();
  for (const block of history.flatMap(({ blocks }) => blocks)) {
    if (block.type === 'tool_call') calls.set(block.id, block);
    if (block.type !== 'tool_response') continue;
    const { name, parameters } = calls.get(block.callId) ?? {};
    const same = JSON.stringify([name, parameters]);
    if (isRefusal(textOf(block))) {
      counts.refused++;
      refused.add(same);
    } else if (refused.has(same)) counts.passed++;
    else if (isNotice(textOf(block))) counts.told++;
  }
  return counts;
}
