import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import { removeFromBoth } from '../apply.ts';
import type { Engine, HistoryChange } from '../engine.ts';
import { MutationCheck } from './mutation-check.ts';
import { type Slot, SlotTotals } from './slot-totals.ts';

/** A version of a history: tells later whether its indices still mean the same entries. */
export interface HistoryVersion {
  readonly structure: number;
  readonly length: number;
}

/** Which version a history has now, what still applies to it, and which version was optimised. */
export interface HistoryVersions {
  /** The present version. Pass it to `applyDensityResult` together with edits that were computed for it. */
  version(): HistoryVersion;
  /** Whether the entries of `version` are still at their places: since then entries were only added. */
  hasOnlyGrownSince(version: HistoryVersion): boolean;
  /** @throws CompressionStrategyError `HISTORY_MUTATED` with the index, where `detectMutation` is on. */
  verifyUnchanged(): void;
  /** Rises when the turn loop adds content; never by an optimisation, a compression or a recount (REQ-HD-002.6). */
  readonly contentVersion: number;
  /** The dirty flag: whether content was added since the version that was last optimised. */
  readonly isDirty: boolean;
  /** The optimiser has seen the history at `contentVersion` (REQ-HD-002.7). */
  markOptimized(contentVersion: number): void;
}

/** The entries of a history and their slots, always in step. `entries` is one array for the history's whole life. */
export class EntryLog implements HistoryVersions {
  readonly entries: IContent[] = [];
  readonly totals = new SlotTotals();
  readonly #current: { readonly engine: Engine };
  readonly #mutationCheck: MutationCheck | undefined;
  #slots: Slot[] = [];
  #nextSequence = 0;
  #structure = 0;
  #clearCount = 0;
  #contentVersion = 0;
  #optimizedVersion = -1;

  /** The engine in force learns of each change. */
  constructor(current: { readonly engine: Engine }, { detectMutation }: { readonly detectMutation: boolean }) {
    this.#current = current;
    if (detectMutation) this.#mutationCheck = new MutationCheck();
  }

  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** How many times the history was cleared. */
  get clearCount(): number {
    return this.#clearCount;
  }

  /** The sequence that the next appended entry will get. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  get contentVersion(): number {
    return this.#contentVersion;
  }

  get isDirty(): boolean {
    return this.#optimizedVersion < this.#contentVersion;
  }

  /** Tokens of the entries that were appended at `sequence` or later. */
  tokensFrom(sequence: number): number {
    let tokens = 0;
    for (let at = this.#slots.length - 1; at >= 0 && this.#slots[at]!.sequence >= sequence; at--) {
      tokens += this.#slots[at]!.tokens;
    }
    return tokens;
  }

  /** The turn loop added `entries`. */
  noteContent(entries = 1): void {
    this.#contentVersion += entries;
  }

  markOptimized(contentVersion: number): void {
    this.#optimizedVersion = Math.max(this.#optimizedVersion, contentVersion);
  }

  version(): HistoryVersion {
    return { structure: this.#structure, length: this.entries.length };
  }

  hasOnlyGrownSince(version: HistoryVersion): boolean {
    return version.structure === this.#structure;
  }

  /** @throws CompressionStrategyError `HISTORY_CHANGED` unless the history has only grown since `version`. */
  checkOnlyGrownSince(version: HistoryVersion): void {
    if (this.hasOnlyGrownSince(version)) return;
    throw new CompressionStrategyError(
      'Expected the history to have only grown since the edits were computed, got one whose entries moved. Nothing was changed; compute the edits again.',
      'HISTORY_CHANGED',
    );
  }

  verifyUnchanged(): void {
    this.#mutationCheck?.verify(this.entries);
  }

  /** A slot that is not yet in a history. With `inPlaceOf` it gets that sequence, without it the newest. */
  createSlot(content: IContent, model: string, inPlaceOf?: Pick<Slot, 'sequence'>): Slot {
    this.#mutationCheck?.remember(content);
    const sequence = inPlaceOf?.sequence ?? this.#nextSequence++;
    return { content, model, sequence, state: 'uncounted', tokens: 0, isPresent: false };
  }

  /** Appends all `slots`, in one change. */
  append(slots: readonly Slot[]): void {
    const start = this.entries.length;
    this.totals.setPresent(slots, true);
    for (const slot of slots) {
      this.#slots.push(slot);
      this.entries.push(slot.content);
    }
    this.#current.engine.changed({ kind: 'splice', start, removed: [], entries: this.entries.slice(start) });
  }

  /** Removes `slot`, wherever it is. */
  remove(slot: Slot): void {
    const index = this.#slots.lastIndexOf(slot);
    if (index === -1) return;
    this.#slots.splice(index, 1);
    this.entries.splice(index, 1);
    this.totals.setPresent([slot], false);
    this.#structure++;
    this.#current.engine.changed({ kind: 'splice', start: index, removed: [slot.content], entries: [] });
  }

  /** Empties the history and returns the tokens that it had. */
  clear(): number {
    const tokens = this.totals.tokens;
    const removed = [...this.entries];
    this.totals.clear(this.#slots);
    this.#slots = [];
    this.entries.length = 0;
    this.#structure++;
    this.#clearCount++;
    this.#current.engine.changed({ kind: 'splice', start: 0, removed, entries: [] });
    return tokens;
  }

  /** Makes `slots` the history, in one pass. Returns the difference in tokens. Linear in entries. */
  assign(slots: readonly Slot[]): number {
    const before = this.totals.tokens;
    const change = this.#spliceTo(slots);
    this.totals.clear(this.#slots);
    this.totals.setPresent(slots, true);
    this.#slots = [...slots];
    for (let index = 0; index < slots.length; index++) this.entries[index] = slots[index]!.content;
    this.entries.length = slots.length;
    this.#structure++;
    this.#current.engine.changed(change);
    return this.totals.tokens - before;
  }

  /**
   * Applies a checked density result; `created` are the slots of its replacements. Returns the difference in tokens.
   * Linear in edits, and moves entries without reading them.
   */
  edit(result: DensityResult, created: ReadonlyMap<number, Slot>): number {
    const before = this.totals.tokens;
    const old = [...result.removals, ...created.keys()].map((index) => this.#slots[index]!);
    this.totals.setPresent(old, false);
    this.totals.setPresent(created.values(), true);
    for (const [index, slot] of created) {
      this.#slots[index] = slot;
      this.entries[index] = slot.content;
    }
    removeFromBoth(result.removals, this.#slots, this.entries);
    this.#structure++;
    this.#current.engine.changed({ kind: 'applied', result });
    return this.totals.tokens - before;
  }

  /** The smallest splice that leads from the present entries to those of `slots`. */
  #spliceTo(slots: readonly Slot[]): HistoryChange {
    let start = 0;
    const shorter = Math.min(slots.length, this.#slots.length);
    while (start < shorter && slots[start]!.content === this.entries[start]) start++;
    let kept = 0;
    while (kept < shorter - start && slots.at(-1 - kept)!.content === this.entries.at(-1 - kept)) kept++;
    return {
      kind: 'splice',
      start,
      removed: this.entries.slice(start, this.entries.length - kept),
      entries: slots.slice(start, slots.length - kept).map((slot) => slot.content),
    };
  }
}
