import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../content/content.ts';
import type { DebugLogger } from '../strategies/contract.ts';
import type { QueuedAdd } from './compression-window.ts';
import { copyForJson } from './copy.ts';
import { createExactCounter } from './counter.ts';
import type { Engine } from './engine.ts';
import { describeInvalidEntry } from './entry-check.ts';
import type { Slot } from './entry-log.ts';
import { InlineEngine } from './inline-engine.ts';
import { RestorableHistory } from './restorable-history.ts';
import { historyFromJson } from './serialization.ts';

/** Counts when neither an add nor a tokenization target names a model. Source: the o200k family is the largest. */
const DEFAULT_MODEL = 'gpt-4.1';

/** Adding as many takes a fraction of a millisecond. Source: bench `slice.resume.10M`. */
const ENTRIES_AT_ONCE = 128;

export interface HistoryServiceOptions {
  /** In process when absent. It must serve no other history. */
  readonly engine?: Engine;
  /** Counts entries that come without a model name. */
  readonly model?: string;
  /** Hash entries when they are added, so that `verifyUnchanged` finds those changed in place. Costs a hash per entry and gate run. */
  readonly detectMutation?: boolean;
  readonly logger?: DebugLogger;
}

/**
 * A conversation in time: its entries, their exact token counts, and the one place that changes them. Entries are
 * immutable once added and keep their identity; token work is serialised; nothing that arrives is lost or reordered.
 * Source: docs/history-service.md; REQ-HD-003; docs/readings.md, rows 18, 19, 27 to 29.
 */
export class HistoryService extends RestorableHistory {
  readonly #options: HistoryServiceOptions;
  #optimizedVersion = -1;
  #isDisposed = false;

  constructor(options: HistoryServiceOptions = {}) {
    super({
      engine: options.engine ?? new InlineEngine(createExactCounter()),
      model: options.model ?? DEFAULT_MODEL,
      detectMutation: options.detectMutation ?? false,
    });
    this.#options = options;
  }

  /**
   * A history with the entries that `toJSON` wrote.
   * @throws CompressionStrategyError `HISTORY_INVALID` when `json` is no list of entries.
   */
  static fromJSON(json: string, options: HistoryServiceOptions = {}): HistoryService {
    const history = new HistoryService(options);
    history.addAll(historyFromJson(json));
    return history;
  }

  /**
   * Appends an entry, emits `contentAdded` and counts it soon; queued while compressing. An entry with an unknown
   * speaker or zero blocks is refused with a debug line. When a listener throws, the entry is taken back and the
   * error rethrown.
   */
  add(content: IContent, modelName?: string): void {
    const fault = this.#isDisposed ? 'an entry after `dispose`' : describeInvalidEntry(content);
    if (fault) this.#noteRefusal(fault);
    else if (this.window.isOpen) this.window.queue({ kind: 'add', content, modelName });
    else this.#addNow(content, modelName);
  }

  /** Adds each of `contents` as it stands at the call, so that a live view of this very history may be given. */
  addAll(contents: readonly IContent[], modelName?: string): void {
    // Nobody hears of single entries, so that none of them can be refused half-way.
    const isHeard = this.listenerCount('contentAdded') > 0;
    if (isHeard || this.window.isOpen || this.#isDisposed) {
      for (const content of [...contents]) this.add(content, modelName);
    } else this.#addAllNow(contents, modelName);
  }

  /**
   * Adds each of `contents`, some hundred at a time, so that taking up a large session does not hold the
   * thread. What is added elsewhere before it resolves stands in between.
   */
  async addInSlices(contents: readonly IContent[], modelName?: string): Promise<void> {
    const all = [...contents];
    for (let from = 0; from < all.length; from += ENTRIES_AT_ONCE) {
      if (from > 0) await nextEventLoopTurn();
      this.addAll(all.slice(from, from + ENTRIES_AT_ONCE), modelName);
    }
  }

  /** Adds the entries of one turn: what the user said, what the model answered, what its tools did. */
  recordTurn(userInput: IContent, aiResponse: IContent, toolInteractions: readonly IContent[] = []): void {
    this.addAll([userInput, aiResponse, ...toolInteractions]);
  }

  /** Adds the entries of another history. */
  merge(other: HistoryService): void {
    this.addAll(other.getRawHistory());
  }

  /** Empties the history; the base offset stays. Queued while compressing. Counts in flight are dropped. */
  clear(): void {
    if (this.window.isOpen) this.window.queue({ kind: 'clear' });
    else this.#clearNow();
  }

  /** Whether a compression is running: adds and clears are queued until it ends. */
  get isCompressing(): boolean {
    return this.window.isOpen;
  }

  /** From here to `endCompression`, adds and clears are queued. Emits `compressionStarted`. */
  startCompression(): void {
    if (this.window.isOpen) return;
    this.window.open();
    this.announce('compressionStarted');
  }

  /**
   * Flushes what was queued, in order; what the turn loop added meanwhile stands after the rebuilt history. Emits
   * `compressionEnded` when both arguments are given.
   */
  endCompression(summary?: IContent, itemsCompressed?: number): void {
    if (!this.window.isOpen) return;
    const { operations, arrived, isRebuild } = this.window.close();
    const before = isRebuild ? [...this.log.slots] : [];
    for (const operation of operations) {
      if (operation.kind === 'add') this.#addQueued(operation);
      else if (isRebuild) this.#emptyLog();
      else this.#clearNow();
    }
    if (isRebuild) this.undo.noteCompression(before, this.log.nextSequence);
    for (const add of arrived) this.#addQueued(add);
    if (arrived.length > 0) this.version++;
    if (summary !== undefined && itemsCompressed !== undefined) {
      this.announce('compressionEnded', summary, itemsCompressed);
    }
  }

  /** Resolves at once; kept for callers of the original. */
  async waitForPendingOperations(): Promise<void> {}

  /** Rises when the turn loop adds content; never by an optimisation, a compression or a recount (REQ-HD-002.6). */
  get contentVersion(): number {
    return this.version;
  }

  /** The dirty flag: whether content came in since the version that was last optimised. */
  get isDirty(): boolean {
    return this.#optimizedVersion < this.version;
  }

  /** The optimiser has seen the history at `contentVersion` (REQ-HD-002.7). */
  markOptimized(contentVersion: number): void {
    this.#optimizedVersion = Math.max(this.#optimizedVersion, contentVersion);
  }

  /** A deep copy with the same options, base offset and tokenization target, and an engine of its own. */
  clone(): HistoryService {
    const copy = new HistoryService({ ...this.#options, engine: this.engine.fork() });
    copy.setBaseTokenOffset(this.getBaseTokenOffset());
    if (this.targetModel !== undefined) copy.setActiveTokenizationTarget(this.targetModel);
    for (const slot of this.log.slots) copy.add(copyForJson(slot.content), slot.model);
    return copy;
  }

  /** Releases entries, listeners and the engine; work in flight is dropped, what is added later is refused. */
  dispose(): void {
    this.#isDisposed = true;
    this.removeAllListeners();
    this.window.close();
    this.undo.forget();
    this.ledger.cancelCounts();
    this.log.clear();
    this.engine.dispose().catch((error: unknown) => this.ledger.noteFailure(error));
  }

  #addNow(content: IContent, modelName: string | undefined): void {
    const slot = this.#append(content, modelName);
    try {
      this.emit('contentAdded', content);
    } catch (error) {
      this.log.remove(slot);
      throw error;
    }
    this.version++;
    this.ledger.track([slot]);
  }

  #addAllNow(contents: readonly IContent[], modelName: string | undefined): void {
    const model = this.modelFor(modelName);
    const slots: Slot[] = [];
    for (const content of contents) {
      const fault = describeInvalidEntry(content);
      if (fault) this.#noteRefusal(fault);
      else slots.push(this.createSlot(content, { model }));
    }
    if (slots.length === 0) return;
    this.log.appendAll(slots);
    this.version += slots.length;
    this.ledger.track(slots);
  }

  #noteRefusal(fault: string): void {
    this.#options.logger?.debug(`Refused an entry: expected a speaker and blocks, got ${fault}.`);
  }

  /** Nobody is there to give the entry back to: it stays when a listener throws. */
  #addQueued({ content, modelName }: QueuedAdd): void {
    const slot = this.#append(content, modelName);
    this.announce('contentAdded', content);
    this.ledger.track([slot]);
  }

  #append(content: IContent, modelName: string | undefined): Slot {
    return this.log.append(this.createSlot(content, { model: this.modelFor(modelName) }));
  }

  #clearNow(): void {
    this.undo.forget();
    this.#emptyLog();
  }

  #emptyLog(): void {
    this.ledger.cancelCounts();
    const gone = this.log.clear();
    this.dropNegativeOffset();
    this.announceTokens(-gone);
  }
}
