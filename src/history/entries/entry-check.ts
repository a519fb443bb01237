import type { IContent } from '../../content/content.ts';
import { blockProblem } from '../../content/content-guard.ts';
import { CompressionStrategyError } from '../../errors.ts';

const SPEAKERS: ReadonlySet<unknown> = new Set(['human', 'ai', 'tool']);

/** Why `value` cannot be in a history; `undefined` when it has a known speaker and well-formed blocks, at least one. */
export function describeInvalidEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `\`${String(value)}\``;
  const { speaker, blocks } = value as { speaker?: unknown; blocks?: unknown };
  if (!SPEAKERS.has(speaker)) return `the speaker ${JSON.stringify(speaker) ?? String(speaker)}`;
  if (!Array.isArray(blocks)) return 'no list of blocks';
  if (blocks.length === 0) return 'an entry with zero blocks';
  for (const [index, block] of blocks.entries()) {
    const problem = blockProblem(block, index);
    if (problem !== undefined) return `an entry with a fault: ${problem}`;
  }
  return undefined;
}

/** @throws CompressionStrategyError `HISTORY_INVALID` for an entry that `add` would refuse. */
export function checkEntry(content: IContent, index: number): void {
  const fault = describeInvalidEntry(content);
  if (fault === undefined) return;
  throw new CompressionStrategyError(
    `Expected an entry with a speaker and blocks at index ${index}, got ${fault}. The history was not changed.`,
    'HISTORY_INVALID',
  );
}
