import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import {
  type CarriedResult,
  type CarriedSettings,
  isLong,
  joinsSet,
  LEAST_SENT_CALLS,
  latest,
  leastSentCalls,
  mayExpire,
  replaceExpired,
} from '../rules/carried-results.ts';
import type { Draft, RulesInForce } from '../rules/rule.ts';
import { filesRead, filesTouched } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';
import { IndexedCall } from './indexed-call.ts';
import type { PassContext, RepeatedPass } from './repeated-pass.ts';

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
  /** By call: the number of its working set, -1 if it shows no files; and by set: the files that were read. */
  readonly #setOf: number[] = [];
  readonly #sets: number[][] = [];
  #lastRead: number | undefined;
  /** What was added. */
  #entries = 0;
  #turns = 0;
  #responses = 0;
  /** The working sets of the results that the last run replaced, and their files. */
  readonly #replacedSets = new Set<number>();
  readonly #replacedFiles = new Set<number>();
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
        if (this.#replacedSets.has(this.#addToSet(filesRead(calls.files[call]!)))) touchesReplaced = true;
        for (const file of filesTouched(calls.files[call]!)) {
          this.#touchedIn.set(file, this.#turns);
          if (this.#replacedFiles.has(file)) touchesReplaced = true;
        }
      }
    }
    this.#addResponses();
    return touchesReplaced || this.#turns >= this.#nextTurn;
  }

  /** Linear in candidates. */
  prune(draft: Draft<CarriedResult>): void {
    this.#replacedSets.clear();
    this.#replacedFiles.clear();
    this.#nextTurn = Number.POSITIVE_INFINITY;
    const usedIn = this.#sets.map((files) => this.#usedIn(files));
    for (const [call, leastSent] of this.#candidates) {
      const set = this.#setOf[call]!;
      const sentCalls = this.#turns - (set === -1 ? this.#turnOf[call]! : usedIn[set]!);
      if (sentCalls < leastSent) this.#expect(sentCalls, leastSent);
      else {
        const least = replaceExpired(draft, new IndexedCall(this.#index, call), { inForce: this.#inForce, sentCalls });
        if (sentCalls < least) this.#expect(sentCalls, least);
        else if (set !== -1) this.#replacedSets.add(set);
      }
    }
    for (const set of this.#replacedSets) for (const file of this.#sets[set]!) this.#replacedFiles.add(file);
  }

  /** Adds a call that reads these files to its working set. Returns the number of the set, -1 without files. */
  #addToSet(files: readonly number[]): number {
    if (files.length > 0 && !joinsSet(this.#turns, this.#lastRead, this.#inForce.rules.workingSetCalls))
      this.#sets.push([]);
    if (files.length > 0) this.#lastRead = this.#turns;
    for (const file of files) this.#sets.at(-1)!.push(file);
    const set = files.length === 0 ? -1 : this.#sets.length - 1;
    this.#setOf.push(set);
    return set;
  }

  #usedIn(files: readonly number[]): number {
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
      let leastSent = LEAST_SENT_CALLS;
      if (!this.#candidates.has(row)) {
        const call = new IndexedCall(this.#index, row);
        if (!mayExpire(call, this.#inForce, this.#vocabulary)) continue;
        leastSent = leastSentCalls(call, this.#inForce, result.length);
      }
      this.#candidates.set(row, leastSent);
      // Its working set may have been used later, so that it expires later.
      const files = filesRead(this.#index.calls.files[row]!);
      const used = files.length === 0 ? this.#turnOf[row]! : this.#usedIn(files);
      this.#expect(this.#turns - used, leastSent);
    }
  }
}
