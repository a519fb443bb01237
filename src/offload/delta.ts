import type { IContent } from '../content/content.ts';
import { applyEdits } from '../history/apply.ts';
import type { HistoryChange } from '../history/engine.ts';
import type { DensityResult } from '../strategies/contract.ts';
import type { Change, Splice } from './protocol.ts';

/**
 * What a replica has yet to be told of one history, and the history itself for when it must be told everything.
 * Appends run together. Snapshot plus deltas make the history (law 6).
 */
export class ChangeLog {
  readonly #ownResults = new WeakMap<DensityResult, number>();
  #entries: IContent[] = [];
  #pending: Change[] = [];

  get entries(): readonly IContent[] {
    return this.#entries;
  }

  /** Remembers that request `sequence` gave `result`, so that applying it crosses as one word. */
  rememberResult(result: DensityResult, sequence: number): void {
    this.#ownResults.set(result, sequence);
  }

  note(change: HistoryChange): void {
    if (change.kind === 'splice') this.#noteSplice(change);
    else this.#noteApplied(change.result);
  }

  /** The changes since the last call; they are the replica's now. */
  take(): readonly Change[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  /** Everything, for a replica that starts anew; nothing is pending after it. */
  takeSnapshot(): readonly Change[] {
    this.#pending = [];
    return this.#entries.length === 0
      ? []
      : [{ kind: 'splice', start: 0, deleteCount: 0, entries: [...this.#entries] }];
  }

  #noteSplice({ start, deleteCount, entries }: Omit<Splice, 'kind'>): void {
    const isAppend = start === this.#entries.length && deleteCount === 0;
    if (isAppend) for (const entry of entries) this.#entries.push(entry);
    else if (deleteCount === this.#entries.length && start === 0) this.#entries = [...entries];
    else this.#entries = [...this.#entries.slice(0, start), ...entries, ...this.#entries.slice(start + deleteCount)];
    const last = this.#pending.at(-1);
    const follows =
      isAppend && last?.kind === 'splice' && last.deleteCount === 0 && last.start + last.entries.length === start;
    if (follows) for (const entry of entries) (last.entries as IContent[]).push(entry);
    else this.#pending.push({ kind: 'splice', start, deleteCount, entries: [...entries] });
  }

  #noteApplied(result: DensityResult): void {
    this.#entries = applyEdits<IContent>(this.#entries, result, (index) => result.replacements.get(index));
    const sequence = this.#ownResults.get(result);
    this.#pending.push(
      sequence === undefined
        ? { kind: 'patch', removals: result.removals, replacements: [...result.replacements] }
        : { kind: 'accept', sequence },
    );
  }
}
