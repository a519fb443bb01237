import type { IContent, ToolResponseBlock } from '../../content/content.ts';
import { describeInvalidEntry } from '../../content/content-guard.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryVersion } from '../entries/entry-log.ts';
import { cancelledResponses, unansweredByEntry } from '../entries/unanswered.ts';
import type { HistoryParts } from '../parts.ts';

export type Editor = ReturnType<typeof editor>;

/** Changes entries that are in the history already: each change is made whole or not at all. */
export function editor({ log, ledger, window, undo }: HistoryParts) {
  return {
    async replaceAll(contents: readonly IContent[], modelName?: string): Promise<void> {
      const isRebuild = window.isOpen;
      const { clearCount, nextSequence: firstLaterSequence } = log;
      const model = ledger.modelFor(modelName);
      for (const [index, content] of contents.entries()) checkEntry(content, index);
      const slots = contents.map((content) => log.createSlot(content, model));
      await ledger.lock.run(async () => {
        await ledger.settle(slots);
        if (clearCount !== log.clearCount) return;
        const later = log.slots.filter((slot) => slot.sequence >= firstLaterSequence);
        if (isRebuild) {
          undo.noteCompression(log.slots, log.nextSequence);
          window.noteRebuild();
        } else {
          undo.forget();
          log.noteContent();
        }
        ledger.dropNegativeOffset();
        ledger.announce(log.assign([...slots, ...later]));
      });
    },

    /**
     * Replaces the first `count` entries by `summary`, as a compression does.
     * @throws CompressionStrategyError `HISTORY_CHANGED` when entries were changed since `version`.
     */
    async replaceOldest(count: number, summary: IContent, version: HistoryVersion): Promise<void> {
      checkEntry(summary, 0);
      await ledger.lock.run(async () => {
        log.checkOnlyGrownSince(version);
        const oldest = log.slots[0]!;
        const slot = log.createSlot(summary, oldest.model, oldest);
        await ledger.settle([slot]);
        log.checkOnlyGrownSince(version);
        undo.noteCompression(log.slots, log.nextSequence);
        ledger.announce(log.assign([slot, ...log.slots.slice(count)]));
      });
    },

    /** Removes the newest entry that `matches` accepts, a queued add first, and returns it. Only the very newest is tried. */
    removeLast(matches: (content: IContent) => boolean): IContent | undefined {
      const queued = window.retract(matches);
      if (queued) return queued.content;
      const last = log.slots.at(-1);
      if (last === undefined || !matches(last.content)) return undefined;
      log.remove(last);
      undo.withdraw(last.content);
      ledger.announce(-last.tokens, last.content.metadata?.id);
      return last.content;
    },

    replaceToolResponseBlock(
      place: { readonly entryIndex: number; readonly blockIndex: number },
      block: ToolResponseBlock,
      modelName?: string,
    ): Promise<boolean> {
      const { entryIndex, blockIndex } = place;
      return ledger.lock.run(async () => {
        const old = log.slots[entryIndex];
        const present = old?.content.blocks[blockIndex];
        const matches =
          present?.type === 'tool_response' && present.callId === block.callId && present.toolName === block.toolName;
        if (window.isOpen || old === undefined || !matches || block.type !== 'tool_response') return false;
        const content = { ...old.content, blocks: old.content.blocks.with(blockIndex, block) };
        const slot = log.createSlot(content, ledger.modelFor(modelName ?? old.model), old);
        await ledger.counts.settleAll([slot]);
        if (window.isOpen || log.slots[entryIndex] !== old) return false;
        undo.change(old);
        ledger.announce(log.assign(log.slots.with(entryIndex, slot)), content.metadata?.id);
        return true;
      });
    },

    validateAndFix(): void {
      const unanswered = unansweredByEntry(log.entries);
      if (unanswered.size === 0) return;
      const slots = log.slots.flatMap((slot, index) => {
        const calls = unanswered.get(index);
        if (calls === undefined) return [slot];
        const answer = log.createSlot(cancelledResponses(calls), slot.model, { sequence: slot.sequence + 0.5 });
        undo.change(slot);
        return [slot, answer];
      });
      log.assign(slots);
      ledger.countSoon();
    },
  };
}

/** @throws CompressionStrategyError `HISTORY_INVALID` for an entry that `add` would refuse. */
function checkEntry(content: IContent, index: number): void {
  const fault = describeInvalidEntry(content);
  if (fault === undefined) return;
  throw new CompressionStrategyError(
    `Expected an entry with a speaker and blocks at index ${index}, got ${fault}. The history was not changed.`,
    'HISTORY_INVALID',
  );
}
