import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { HistoryDraft } from '../draft.ts';
import { isLong, LEAST_SENT_CALLS, leastSentCalls, mayExpire, replaceExpired } from '../rules/carried-results.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import { filesRead, filesTouched, isPureRead } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';
import { IndexedCall } from './indexed-call.ts';

/** The calls whose results may expire, of a history to which entries are only added, by the same rules. */
export class CarriedResults {
  readonly #index: HistoryIndex;
  readonly #inForce: RulesInForce;
  readonly #vocabulary: ToolVocabulary;
  /** By call: with how many model calls, at the least, its results are sent before they expire. */
  readonly #candidates = new Map<number, number>();
  /** By call, and by file for the last call that touches it: how many answers of the model there were with its own. */
  readonly #turnOf: number[] = [];
  readonly #touchedIn = new Map<number, number>();
  /** What was added. */
  #entries = 0;
  #turns = 0;
  #responses = 0;
  /** Whether the last run replaced results: later ones were sent more often, and may have been touched. */
  #hasReplaced = false;

  constructor(index: HistoryIndex, inForce: RulesInForce, vocabulary: ToolVocabulary) {
    this.#index = index;
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
  }

  /** Adds what is new; whether `replace` may do something else than last time. Linear in what is new and in candidates. */
  add(): boolean {
    const { history, calls } = this.#index;
    const hasNew = this.#entries < history.length;
    for (; this.#entries < history.length; this.#entries++) {
      if (history[this.#entries]!.speaker === 'ai') this.#turns++;
      for (let call = this.#turnOf.length; calls.entry[call] === this.#entries; call++) {
        this.#turnOf.push(this.#turns);
        for (const file of filesTouched(calls.files[call]!)) this.#touchedIn.set(file, this.#turns);
      }
    }
    this.#addResponses();
    if (!hasNew) return false;
    if (this.#hasReplaced) return true;
    for (const [call, leastSent] of this.#candidates) if (this.#sentCalls(call) >= leastSent) return true;
    return false;
  }

  /** Does to the draft what `replaceCarriedResults` does. Linear in candidates. */
  replace(draft: HistoryDraft): void {
    this.#hasReplaced = false;
    for (const [call, leastSent] of this.#candidates) {
      const sentCalls = this.#sentCalls(call);
      if (sentCalls < leastSent) continue;
      const replaced = replaceExpired(draft, new IndexedCall(this.#index, call), { inForce: this.#inForce, sentCalls });
      if (replaced) this.#hasReplaced = true;
    }
  }

  #addResponses(): void {
    const { responses, links } = this.#index;
    for (; this.#responses < responses.entry.length; this.#responses++) {
      const row = links.owner[this.#responses]!;
      if (row === -1) continue;
      const { result } = this.#index.response(this.#responses);
      if (!isLong(result)) continue;
      // Several results together are longer than each.
      if (this.#candidates.has(row)) this.#candidates.set(row, LEAST_SENT_CALLS);
      else {
        const call = new IndexedCall(this.#index, row);
        if (!mayExpire(call, this.#inForce, this.#vocabulary)) continue;
        this.#candidates.set(row, leastSentCalls(call, this.#inForce, result.length));
      }
    }
  }

  #sentCalls(call: number): number {
    const files = this.#index.calls.files[call]!;
    if (!isPureRead(files)) return this.#turns - this.#turnOf[call]!;
    if (typeof files === 'number') return this.#turns - this.#touchedIn.get(files)!;
    return this.#turns - Math.max(...filesRead(files).map((file) => this.#touchedIn.get(file)!));
  }
}
