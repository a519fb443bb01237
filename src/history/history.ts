import { EventEmitter } from 'node:events';
import type { IContent } from '../content/content.ts';
import type { DensityResult } from '../strategies/contract.ts';
import { applyDensityEdits } from './edits/density-edits.ts';
import { type Editor, editor } from './edits/editor.ts';
import type { Engine } from './engine.ts';
import type { HistoryVersion } from './entries/entry-log.ts';
import type { HistoryEvents } from './events.ts';
import type { HistoryServiceOptions } from './options.ts';
import { type GateAccess, HistoryParts } from './parts.ts';
import { type TurnLoop, turnLoop } from './turns/turn-loop.ts';
import { type Restoration, restored } from './undo/restoration.ts';

/**
 * A conversation in time: its entries, their exact token counts, and the one place that changes them. Entries are
 * immutable once added and keep their identity; token work runs one task at a time; no add is lost or reordered.
 * Source: REQ-HD-003; docs/readings.md, rows 18, 19, 27 to 29.
 */
export class History extends EventEmitter<HistoryEvents> {
  /** For a gate of your own. */
  readonly gateAccess: GateAccess;
  protected readonly parts: HistoryParts;
  protected readonly editor: Editor;
  readonly #turnLoop: TurnLoop;

  constructor(options: HistoryServiceOptions = {}) {
    super();
    this.parts = new HistoryParts(this, options);
    this.gateAccess = this.parts;
    this.editor = editor(this.parts);
    this.#turnLoop = turnLoop(this.parts, options.logger);
  }

  /** Does the heavy work of this history. */
  get engine(): Engine {
    return this.parts.engine;
  }

  /**
   * Appends an entry, emits `contentAdded` and counts it soon; queued while compressing. An entry with an unknown
   * speaker or zero blocks is refused with a debug line. When a listener throws, the entry is removed and the error
   * rethrown.
   */
  add(content: IContent, modelName?: string): void {
    this.#turnLoop.add(content, modelName);
  }

  /** Adds each of `contents` as they are at the call, so that a live view of this very history may be given. */
  addAll(contents: readonly IContent[], modelName?: string): void {
    this.#turnLoop.addAll(contents, modelName);
  }

  /** Adds a long list in steps between which timers and input run; other adds may come between two steps. */
  addInSlices(contents: readonly IContent[], modelName?: string): Promise<void> {
    return this.#turnLoop.addInSlices(contents, modelName);
  }

  /** Empties the history; the base offset stays. Queued while compressing. Counts in flight are dropped. */
  clear(): void {
    this.#turnLoop.clear();
  }

  /**
   * Makes `contents` the history, all at once; on failure history and totals stay. Entries added after the call follow
   * `contents`, and a `clear` after the call removes both.
   * @throws CompressionStrategyError `HISTORY_INVALID` for an entry that `add` would refuse; what a counter throws.
   */
  replaceAll(contents: readonly IContent[], modelName?: string): Promise<void> {
    return this.editor.replaceAll(contents, modelName);
  }

  /**
   * Applies the edits of an optimisation: all of them, or none when it throws. `base` is the version that they were
   * computed for, the present one when absent. Linear in entries; counts only new entries.
   * @throws CompressionStrategyError as `checkDensityResult`; `DENSITY_DURING_COMPRESSION`; `HISTORY_CHANGED` when the
   * indices or facts that the result relies on are no longer true; what a counter throws (REQ-HD-013.2, 013.3).
   */
  applyDensityResult(result: DensityResult, base: HistoryVersion = this.gateAccess.versions.version()): Promise<void> {
    return applyDensityEdits(this.parts, result, base);
  }

  /** A live, read-only view of the backing array: the same array for the history's whole life (REQ-HD-003.5). */
  getRawHistory(): readonly IContent[] {
    return this.parts.log.entries;
  }

  /** Base offset and all counts known so far; never negative. */
  getTotalTokens(): number {
    return this.parts.ledger.total();
  }

  /** Whose tokenizer counts from now on, whatever name an add brings; `recalculateTotalTokens` recounts older entries. */
  setActiveTokenizationTarget(model: string, _provider?: string): void {
    this.parts.ledger.setTargetModel(model);
  }

  /** Tokens of all `contents` together, without the base offset. Changes nothing; known counts are used. */
  estimateTokensForContents(contents: readonly IContent[], modelName?: string): Promise<number> {
    return this.parts.ledger.estimateContents(contents, modelName);
  }

  /**
   * Resolves when all queued token work is done.
   * @throws what failed in it, once; an `AggregateError` if several (ERR-021).
   */
  waitForTokenUpdates(): Promise<void> {
    return this.parts.ledger.settled();
  }

  /** From here to `endCompression`, adds and clears are queued. Emits `compressionStarted`. */
  startCompression(): void {
    this.#turnLoop.startCompression();
  }

  /**
   * Flushes the queue, in order; entries that the turn loop added meanwhile follow the rebuilt history. Emits
   * `compressionEnded` when both arguments are given.
   */
  endCompression(summary?: IContent, itemsCompressed?: number): void {
    this.#turnLoop.endCompression(summary, itemsCompressed);
  }

  /**
   * Restores, as the same objects in the same places, what the last compression removed; entries added since follow,
   * and optimisations since are undone as well. It waits for gate runs, so a gate run must not wait for it. The next
   * gate run may compress again: change the settings first. Linear in entries.
   * @throws CompressionStrategyError `HISTORY_CHANGED` when the history is compressed or edited meanwhile; what a
   * counter throws. The history is then unchanged.
   */
  restoreLastCompression(): Promise<Restoration> {
    return this.gateAccess.turns.run(() => restored(this.parts, 'compression'));
  }

  /** The same for the last density result, that of the last resort included; a compression since is undone as well. */
  restoreLastOptimization(): Promise<Restoration> {
    return this.gateAccess.turns.run(() => restored(this.parts, 'optimization'));
  }

  /** Releases entries, listeners and the engine; work in flight is dropped, later adds are refused. */
  dispose(): void {
    this.removeAllListeners();
    this.#turnLoop.close();
    this.engine.dispose().catch((error: unknown) => this.parts.ledger.noteFailure(error));
  }
}
