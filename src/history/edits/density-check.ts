import { pairCalls } from '../../content/calls/pairing.ts';
import type { IContent } from '../../content/content.ts';
import { describeInvalidEntry } from '../../content/content-guard.ts';
import { CompressionStrategyError, type ErrorCode } from '../../errors.ts';
import type { DensityResult } from '../../strategies/contract.ts';

const refuse = (code: ErrorCode, message: string): never => {
  throw new CompressionStrategyError(`${message} Nothing was changed; optimise the present history again.`, code);
};

function checkIndex(index: unknown, where: string, length: number): void {
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < length) return;
  refuse(
    'DENSITY_INDEX_OUT_OF_BOUNDS',
    `Expected an integer in [0, ${length}) in \`${where}\` of the density result, got \`${String(index)}\`.`,
  );
}

/**
 * Checks that `result` can be applied to a history of `length` entries. Linear in edits.
 * @throws CompressionStrategyError `DENSITY_INVALID_RESULT` for a wrong shape, a duplicate removal or a replacement
 * that is no valid entry, `DENSITY_INDEX_OUT_OF_BOUNDS`, `DENSITY_CONFLICT` for an index that is both removed and
 * replaced. Source: docs/readings.md, row 4; REQ-HD-001.6, 001.7; ERR-010 to 013.
 */
export function checkDensityResult(result: DensityResult, length: number): void {
  const { removals, replacements } = result;
  if (!Array.isArray(removals) || !(replacements instanceof Map)) {
    refuse(
      'DENSITY_INVALID_RESULT',
      `Expected a density result with \`removals\` as an array and \`replacements\` as a Map, got ${typeof removals} and ${typeof replacements}.`,
    );
  }
  const removed = new Set<number>();
  for (const index of removals) {
    checkIndex(index, 'removals', length);
    if (removed.has(index)) {
      refuse(
        'DENSITY_INVALID_RESULT',
        `Expected each index once in \`removals\` of the density result, got ${index} twice.`,
      );
    }
    removed.add(index);
  }
  for (const [index, replacement] of replacements) {
    checkIndex(index, 'replacements', length);
    if (removed.has(index)) {
      refuse(
        'DENSITY_CONFLICT',
        `Expected an index in \`removals\` or in \`replacements\` of the density result, got ${index} in both.`,
      );
    }
    const fault = describeInvalidEntry(replacement);
    if (fault) refuse('DENSITY_INVALID_RESULT', `Expected an entry as replacement of index ${index}, got ${fault}.`);
  }
}

/**
 * Whether an entry from `from` on answers a call before `from`. Linear in the entries from `from` on, and in the whole
 * history only when a response among them answers none of their calls.
 */
export function answersEarlier(history: readonly IContent[], from: number): boolean {
  const unanswered = new Map<string, number>();
  let isOwn = true;
  for (let entry = from; entry < history.length; entry++) {
    for (const block of history[entry]!.blocks) {
      if (block.type !== 'tool_call' && block.type !== 'tool_response') continue;
      const id = block.type === 'tool_call' ? block.id : block.callId;
      const open = (unanswered.get(id) ?? 0) + (block.type === 'tool_call' ? 1 : -1);
      if (open < 0) isOwn = false;
      unanswered.set(id, open);
    }
  }
  if (isOwn) return false;
  return pairCalls(history).responses.some(
    ({ entry, call }) => entry >= from && call !== undefined && call.entry < from,
  );
}
