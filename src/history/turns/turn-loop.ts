import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../../content/content.ts';
import { describeInvalidEntry } from '../../content/content-guard.ts';
import type { DebugLogger } from '../../strategies/contract.ts';
import type { HistoryParts } from '../parts.ts';
import type { QueuedAdd } from './compression-window.ts';

/** Adding as many takes a fraction of a millisecond. Source: bench `slice.resume.10M`. */
const ENTRIES_AT_ONCE = 128;

export type TurnLoop = ReturnType<typeof turnLoop>;

/** What an agent's turn loop does to a history: adds and clears, queued while it is compressed. */
export function turnLoop(parts: HistoryParts, logger: DebugLogger | undefined) {
  const { log, ledger, window, undo, events } = parts;
  let isClosed = false;
  /** Kinds of refused entries that a warning was about. */
  const warned = new Set<string>();

  function isRefused(content: IContent): boolean {
    const fault = isClosed ? 'an entry after `dispose`' : describeInvalidEntry(content);
    if (fault === undefined) return false;
    const reason = `Refused an entry: expected a speaker and blocks, got ${fault}.`;
    logger?.debug(reason);
    if (events.listenerCount('contentRefused') > 0) parts.announce('contentRefused', content, reason);
    else if (!isClosed) warn(reason);
    return true;
  }

  /** Once for each kind of fault: the same words, whatever the index of a block. */
  function warn(reason: string): void {
    const kind = reason.replaceAll(/\d+|"[^"]*"/g, '…');
    if (!warned.has(kind)) process.emitWarning(reason, 'HighDensityWarning');
    warned.add(kind);
  }

  function add(content: IContent, modelName?: string): void {
    if (isRefused(content)) return;
    if (window.isOpen) {
      window.queue({ kind: 'add', content, modelName });
      return;
    }
    const slot = log.createSlot(content, ledger.modelFor(modelName));
    log.append([slot]);
    try {
      events.emit('contentAdded', content);
    } catch (error) {
      log.remove(slot);
      throw error;
    }
    log.noteContent();
    ledger.countSoon();
  }

  function addAll(contents: readonly IContent[], modelName?: string): void {
    // A listener may refuse an entry half-way, so that each one is then added on its own.
    if (window.isOpen || events.listenerCount('contentAdded') > 0) {
      for (const content of contents.slice()) add(content, modelName);
      return;
    }
    const model = ledger.modelFor(modelName);
    const slots = contents.filter((content) => !isRefused(content)).map((content) => log.createSlot(content, model));
    if (slots.length === 0) return;
    log.append(slots);
    log.noteContent(slots.length);
    ledger.countSoon();
  }

  /** Queued adds have no caller to rethrow to, so the entry stays even if a listener throws. */
  function addQueued({ content, modelName }: QueuedAdd): void {
    log.append([log.createSlot(content, ledger.modelFor(modelName))]);
    parts.announce('contentAdded', content);
    ledger.countSoon();
  }

  function empty(): void {
    ledger.counts.cancel();
    const tokens = log.clear();
    ledger.dropNegativeOffset();
    ledger.announce(-tokens);
  }

  function clear(): void {
    undo.forget();
    empty();
  }

  return {
    add,
    addAll,

    async addInSlices(contents: readonly IContent[], modelName?: string): Promise<void> {
      const all = [...contents];
      for (let from = 0; from < all.length; from += ENTRIES_AT_ONCE) {
        if (from > 0) await nextEventLoopTurn();
        addAll(all.slice(from, from + ENTRIES_AT_ONCE), modelName);
      }
    },

    clear(): void {
      if (window.isOpen) window.queue({ kind: 'clear' });
      else clear();
    },

    startCompression(): void {
      if (window.isOpen) return;
      window.open();
      parts.announce('compressionStarted');
    },

    endCompression(summary?: IContent, itemsCompressed?: number): void {
      if (!window.isOpen) return;
      const { operations, arrived, isRebuild } = window.close();
      const before = isRebuild ? [...log.slots] : [];
      for (const operation of operations) {
        if (operation.kind === 'add') addQueued(operation);
        else if (isRebuild) empty();
        else clear();
      }
      if (isRebuild) undo.noteCompression(before, log.nextSequence);
      for (const add of arrived) addQueued(add);
      if (arrived.length > 0) log.noteContent();
      if (summary !== undefined && itemsCompressed !== undefined) {
        parts.announce('compressionEnded', summary, itemsCompressed);
      }
    },

    /** Empties the history for good: later adds are refused, and the total stays 0. */
    close(): void {
      isClosed = true;
      window.close();
      undo.forget();
      ledger.counts.cancel();
      ledger.close();
      log.clear();
    },
  };
}
