import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import {
  areTogether,
  type CarriedResult,
  type CarriedSettings,
  isLong,
  latest,
  leastSentCalls,
  MIN_SENT_CALLS,
  mayExpire,
  replaceExpired,
} from '../rules/carried-results.ts';
import type { Draft, RulesInForce } from '../rules/rule.ts';
import { filesRead, filesTouched } from './call-files.ts';
import { firstFrom } from './history-columns.ts';
import type { HistoryIndex } from './history-index.ts';
import { IndexedCall } from './indexed-call.ts';
import type { PassContext, RepeatedPass } from './repeated-pass.ts';

/** Its first and last call, the files that it read, and the number of answers of the model until the last use of one. */
interface WorkingSet {
  readonly first: number;
  readonly last: number;
  readonly files: readonly number[];
  readonly usedIn: number;
}

/** The calls whose results may expire, while entries are only added and the rules are the same. */
export class CarriedResults implements RepeatedPass {
  readonly #index: HistoryIndex;
  readonly #inForce: RulesInForce<CarriedSettings>;
  readonly #vocabulary: ToolVocabulary;
  /** By call: the least number of model calls with its results before they expire. */
  readonly #candidates = new Map<number, number>();
  /** By call, and by file for the last call that touches it: how many answers of the model there were with its own. */
  readonly #turnOf: number[] = [];
  readonly #touchedIn = new Map<number, number>();
  /** The calls that show files, in order. */
  readonly #reads: number[] = [];
  /** What was added. */
  #entries = 0;
  #turns = 0;
  #responses = 0;
  /** The files in the working sets of the results that the last run replaced, and the answer of the model with the last read. */
  readonly #replacedFiles = new Set<number>();
  #lastReplaced = Number.NEGATIVE_INFINITY;
  /** Before that answer of the model no further results expire. */
  #nextTurn = Number.POSITIVE_INFINITY;

  constructor({ index, inForce, vocabulary }: PassContext) {
    this.#index = index;
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
  }

  /** Linear in the new entries. */
  update(): boolean {
    const { history, calls } = this.#index;
    let touchesReplaced = false;
    for (; this.#entries < history.length; this.#entries++) {
      if (history[this.#entries]!.speaker === 'ai') this.#turns++;
      for (let call = this.#turnOf.length; calls.entry[call] === this.#entries; call++) {
        this.#turnOf.push(this.#turns);
        if (this.#showsFiles(call)) {
          this.#reads.push(call);
          if (this.#areTogether(this.#turns, this.#lastReplaced)) touchesReplaced = true;
        }
        for (const file of filesTouched(calls.files[call]!)) {
          this.#touchedIn.set(file, this.#turns);
          if (this.#replacedFiles.has(file)) touchesReplaced = true;
        }
      }
    }
    this.#addResponses();
    return touchesReplaced || this.#turns >= this.#nextTurn;
  }

  /** Linear in candidates and their working sets. */
  prune(draft: Draft<CarriedResult>): void {
    this.#nextTurn = Number.POSITIVE_INFINITY;
    const replaced = new Set<WorkingSet>();
    let lastSet: WorkingSet | undefined;
    for (const [call, leastSent] of this.#candidates) {
      let set: WorkingSet | undefined;
      if (this.#showsFiles(call)) {
        if (this.#isRemoved(draft, call)) continue;
        const isKnown = lastSet !== undefined && call >= lastSet.first && call <= lastSet.last;
        set = isKnown ? lastSet : this.#workingSet(draft, call);
        lastSet = set;
      }
      const sentCalls = this.#turns - (set?.usedIn ?? this.#turnOf[call]!);
      if (sentCalls < leastSent) this.#expect(sentCalls, leastSent);
      else {
        const least = replaceExpired(draft, new IndexedCall(this.#index, call), { inForce: this.#inForce, sentCalls });
        if (sentCalls < least) this.#expect(sentCalls, least);
        else if (set !== undefined) replaced.add(set);
      }
    }
    this.#replacedFiles.clear();
    this.#lastReplaced = Number.NEGATIVE_INFINITY;
    for (const { files, last } of replaced) {
      for (const file of files) this.#replacedFiles.add(file);
      this.#lastReplaced = Math.max(this.#lastReplaced, this.#turnOf[last]!);
    }
  }

  /** The working set of a read that is left. Linear in it. */
  #workingSet(draft: Draft<CarriedResult>, read: number): WorkingSet {
    const ends = [read, read];
    const files = [...filesRead(this.#index.calls.files[read]!)];
    const at = firstFrom(this.#reads, read);
    for (const end of [0, 1]) {
      const step = 2 * end - 1;
      for (let next = at + step; next in this.#reads; next += step) {
        const other = this.#reads[next]!;
        if (!this.#areTogether(this.#turnOf[other]!, this.#turnOf[ends[end]!]!)) break;
        if (this.#isRemoved(draft, other)) continue;
        ends[end] = other;
        for (const file of filesRead(this.#index.calls.files[other]!)) files.push(file);
      }
    }
    return { first: ends[0]!, last: ends[1]!, files, usedIn: this.#lastUse(files) };
  }

  #showsFiles(call: number): boolean {
    return filesRead(this.#index.calls.files[call]!).length > 0;
  }

  #areTogether(turn: number, other: number): boolean {
    return areTogether(turn, other, this.#inForce.rules);
  }

  #isRemoved(draft: Draft<CarriedResult>, call: number): boolean {
    const { entry, block } = this.#index.calls;
    return draft.isRemoved(entry[call]!, block[call]!);
  }

  #lastUse(files: readonly number[]): number {
    return latest(files.map((file) => this.#touchedIn.get(file)!));
  }

  /** What was sent `sentCalls` times expires no earlier than when it was sent `leastSent` times. */
  #expect(sentCalls: number, leastSent: number): void {
    this.#nextTurn = Math.min(this.#nextTurn, this.#turns - sentCalls + leastSent);
  }

  #addResponses(): void {
    const { responses, links } = this.#index;
    for (; this.#responses < responses.entry.length; this.#responses++) {
      const row = links.owner[this.#responses]!;
      if (row === -1 || responses.isPruned[this.#responses]) continue;
      const { result } = this.#index.response(this.#responses);
      if (!isLong(result)) continue;
      // Several results together are longer than each.
      let leastSent = MIN_SENT_CALLS;
      if (!this.#candidates.has(row)) {
        const call = new IndexedCall(this.#index, row);
        if (!mayExpire(call, this.#inForce, this.#vocabulary)) continue;
        leastSent = leastSentCalls(call, this.#inForce, result.length);
      }
      this.#candidates.set(row, leastSent);
      // Its working set may have been used later, so that it expires later.
      const files = filesRead(this.#index.calls.files[row]!);
      const used = files.length === 0 ? this.#turnOf[row]! : this.#lastUse(files);
      this.#expect(this.#turns - used, leastSent);
    }
  }
}
