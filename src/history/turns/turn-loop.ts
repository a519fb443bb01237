import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../../content/content.ts';
import { describeInvalidEntry } from '../../content/content-guard.ts';
import type { DebugLogger } from '../../strategies/contract.ts';
import type { HistoryParts } from '../parts.ts';
import type { QueuedAdd } from './compression-window.ts';

/** Adding as many takes a fraction of a millisecond. Source: bench `slice.resume.10M`. */
const ENTRIES_AT_ONCE = 128;

/** What an agent's turn loop does to a history: adds and clears, queued while it is compressed. */
export class TurnLoop {
  readonly #parts: HistoryParts;
  readonly #logger: DebugLogger | undefined;
  #isClosed = false;
  /** Kinds of refused entries that a warning was about. */
  readonly #warned = new Set<string>();

  constructor(parts: HistoryParts, logger: DebugLogger | undefined) {
    this.#parts = parts;
    this.#logger = logger;
  }

  add(content: IContent, modelName?: string): void {
    const { log, ledger, window, events } = this.#parts;
    if (this.#isRefused(content)) return;
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

  addAll(contents: readonly IContent[], modelName?: string): void {
    // A listener may refuse an entry half-way, so that each one is then added on its own.
    if (this.#parts.window.isOpen || this.#parts.events.listenerCount('contentAdded') > 0) {
      for (const content of [...contents]) this.add(content, modelName);
      return;
    }
    const { log, ledger } = this.#parts;
    const model = ledger.modelFor(modelName);
    const slots = contents
      .filter((content) => !this.#isRefused(content))
      .map((content) => log.createSlot(content, model));
    if (slots.length === 0) return;
    log.append(slots);
    log.noteContent(slots.length);
    ledger.countSoon();
  }

  async addInSlices(contents: readonly IContent[], modelName?: string): Promise<void> {
    const all = [...contents];
    for (let from = 0; from < all.length; from += ENTRIES_AT_ONCE) {
      if (from > 0) await nextEventLoopTurn();
      this.addAll(all.slice(from, from + ENTRIES_AT_ONCE), modelName);
    }
  }

  clear(): void {
    const { window, undo } = this.#parts;
    if (window.isOpen) window.queue({ kind: 'clear' });
    else {
      undo.forget();
      this.#empty();
    }
  }

  startCompression(): void {
    const { window } = this.#parts;
    if (window.isOpen) return;
    window.open();
    this.#parts.announce('compressionStarted');
  }

  endCompression(summary?: IContent, itemsCompressed?: number): void {
    const { log, window, undo } = this.#parts;
    if (!window.isOpen) return;
    const { operations, arrived, isRebuild } = window.close();
    const before = isRebuild ? [...log.slots] : [];
    for (const operation of operations) {
      if (operation.kind === 'add') this.#addQueued(operation);
      else if (isRebuild) this.#empty();
      else this.clear();
    }
    if (isRebuild) undo.noteCompression(before, log.nextSequence);
    for (const add of arrived) this.#addQueued(add);
    if (arrived.length > 0) log.noteContent();
    if (summary !== undefined && itemsCompressed !== undefined) {
      this.#parts.announce('compressionEnded', summary, itemsCompressed);
    }
  }

  /** Empties the history for good: later adds are refused, and the total stays 0. */
  close(): void {
    const { log, ledger, window, undo } = this.#parts;
    this.#isClosed = true;
    window.close();
    undo.forget();
    ledger.counts.cancel();
    ledger.close();
    log.clear();
  }

  #isRefused(content: IContent): boolean {
    const fault = this.#isClosed ? 'an entry after `dispose`' : describeInvalidEntry(content);
    if (fault === undefined) return false;
    const reason = `Refused an entry: expected a speaker and blocks, got ${fault}.`;
    this.#logger?.debug(reason);
    if (this.#parts.events.listenerCount('contentRefused') > 0) {
      this.#parts.announce('contentRefused', content, reason);
    } else if (!this.#isClosed) this.#warn(reason);
    return true;
  }

  /** Once for each kind of fault: the same words, whatever the index of a block. */
  #warn(reason: string): void {
    const kind = reason.replaceAll(/\d+|"[^"]*"/g, '…');
    if (this.#warned.has(kind)) return;
    this.#warned.add(kind);
    process.emitWarning(reason, 'HighDensityWarning');
  }

  /** Queued adds have no caller to rethrow to, so the entry stays even if a listener throws. */
  #addQueued({ content, modelName }: QueuedAdd): void {
    const { log, ledger } = this.#parts;
    log.append([log.createSlot(content, ledger.modelFor(modelName))]);
    this.#parts.announce('contentAdded', content);
    ledger.countSoon();
  }

  #empty(): void {
    const { log, ledger } = this.#parts;
    ledger.counts.cancel();
    const tokens = log.clear();
    ledger.dropNegativeOffset();
    ledger.announce(-tokens);
  }
}
