import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import {
  type CarriedResult,
  type CarriedSettings,
  isLong,
  LEAST_SENT_CALLS,
  leastSentCalls,
  mayExpire,
  replaceExpired,
} from '../rules/carried-results.ts';
import type { Draft, RulesInForce } from '../rules/rule.ts';
import { filesRead, filesTouched, isPureRead } from './call-files.ts';
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
  /** What was added. */
  #entries = 0;
  #turns = 0;
  #responses = 0;
  /** The files of the reads whose results the last run replaced. */
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
    this.#replacedFiles.clear();
    this.#nextTurn = Number.POSITIVE_INFINITY;
    for (const [call, leastSent] of this.#candidates) {
      const sentCalls = this.#sentCalls(call);
      if (sentCalls < leastSent) this.#expect(sentCalls, leastSent);
      else {
        const indexed = new IndexedCall(this.#index, call);
        const least = replaceExpired(draft, indexed, { inForce: this.#inForce, sentCalls });
        if (sentCalls < least) this.#expect(sentCalls, least);
        else if (indexed.isPureRead)
          for (const file of filesRead(this.#index.calls.files[call]!)) this.#replacedFiles.add(file);
      }
    }
  }

  /** What was sent `sentCalls` times expires no earlier than when it was sent `leastSent` times. */
  #expect(sentCalls: number, leastSent: number): void {
    this.#nextTurn = Math.min(this.#nextTurn, this.#turns - sentCalls + leastSent);
  }

  #addResponses(): void {
    const { responses, links } = this.#index;
    for (; this.#responses < responses.entry.length; this.#responses++) {
      const row = links.owner[this.#responses]!;
      if (row === -1) continue;
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
      this.#expect(this.#sentCalls(row), leastSent);
    }
  }

  #sentCalls(call: number): number {
    const files = this.#index.calls.files[call]!;
    if (!isPureRead(files)) return this.#turns - this.#turnOf[call]!;
    if (typeof files === 'number') return this.#turns - this.#touchedIn.get(files)!;
    return this.#turns - Math.max(...filesRead(files).map((file) => this.#touchedIn.get(file)!));
  }
}
