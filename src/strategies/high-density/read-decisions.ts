import type { ContentBlock } from '../../content/content.ts';
import { type CallFiles, type HistoryIndex, NO_FILES } from './history-index.ts';

/** A block with lines cut out, and where it stands. */
export interface LineCut {
  readonly entry: number;
  readonly block: number;
  readonly replacement: ContentBlock;
}

/** Why a read goes, with its results, or what of them is cut. */
export type ReadDecision = 'stale' | 'superseded' | readonly LineCut[];

/**
 * What was decided of the reads of a history in the last run. Where entries were only added since, a decision stands
 * until a call touches a file of the read, or another result of such a call arrives: that is all it stands on.
 */
export class ReadDecisions {
  readonly #decisions: (ReadDecision | undefined)[] = [];
  #rules: string | undefined;
  #update = -1;
  #calls = 0;
  #responses = 0;
  /** By file: whether what was decided of its reads may be otherwise now; `undefined`: all of it may. */
  #isOpen: Uint8Array | undefined;

  /**
   * Begins a run over `index` by `rules`, which say in a text all that decisions stand on beside the history;
   * `undefined` where they also stand on the time. Linear in calls.
   */
  begin(index: HistoryIndex, rules: string | undefined): void {
    const { calls, kept, updates } = index;
    const isAdded =
      rules !== undefined &&
      rules === this.#rules &&
      updates === this.#update + 1 &&
      kept.calls === this.#calls &&
      kept.responses === this.#responses;
    this.#isOpen = isAdded ? openFiles(index) : undefined;
    if (!isAdded) this.#decisions.length = 0;
    this.#rules = rules;
    this.#update = updates;
    this.#calls = calls.files.length;
    this.#responses = index.responses.entry.length;
  }

  /** Whether what was decided of a call with these files stands: neither it nor any other call with one of them need be looked at. */
  stands(files: CallFiles): boolean {
    const isOpen = this.#isOpen;
    if (isOpen === undefined) return false;
    if (typeof files === 'number') return isOpen[files < 0 ? ~files : files] === 0;
    return files.reads.every((file) => isOpen[file] === 0) && files.writes.every((file) => isOpen[file] === 0);
  }

  of(call: number): ReadDecision | undefined {
    return this.#decisions[call];
  }

  set(call: number, decision: ReadDecision | undefined): void {
    this.#decisions[call] = decision;
  }
}

/** The files of calls that were added, or got another result; with one of several files that a call touches the others. */
function openFiles({ calls, kept, fileCount, links }: HistoryIndex): Uint8Array {
  const isOpen = new Uint8Array(fileCount);
  const several: (readonly number[])[] = [];
  for (let call = 0; call < calls.files.length; call++) {
    const files = calls.files[call]!;
    if (files === NO_FILES) continue;
    const isNew = call >= kept.calls || links.lastResponse[call]! >= kept.responses;
    if (typeof files !== 'number') {
      const touched = [...files.reads, ...files.writes];
      several.push(touched);
      if (isNew) for (const file of touched) isOpen[file] = 1;
    } else if (isNew) isOpen[files < 0 ? ~files : files] = 1;
  }
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const touched of several) {
      const openCount = touched.filter((file) => isOpen[file] === 1).length;
      if (openCount === 0 || openCount === touched.length) continue;
      for (const file of touched) isOpen[file] = 1;
      isDone = false;
    }
  }
  return isOpen;
}
