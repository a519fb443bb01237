import type { ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { isPruned, PRUNED_RESULT } from '../../../content/pruned-result.ts';
import { type ToolVocabulary, toolDefinition, toolRole } from '../../../content/vocabularies/vocabulary.ts';
import type { CarriedResult } from '../../edit-reason.ts';
import type { HistoryDraft } from '../draft.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import { filesRead, filesTouched, isPureRead } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';

/** No result goes before the model had it before its eyes so often. */
const LEAST_CALLS = 3;
/** A shorter result is hardly longer than the pointer. */
const LEAST_CHARS = 200;
/** Strategies count no tokens: an estimate will do for how long something is worth keeping. */
const CHARS_PER_TOKEN = 4;

/**
 * The calls whose results may give way once they were carried for long, of a history to which entries are only added, by
 * the same rules.
 */
export class CarriedResults {
  readonly #index: HistoryIndex;
  readonly #inForce: RulesInForce;
  readonly #vocabulary: ToolVocabulary;
  /** By call: with how many calls of the model, at the least, its results are sent before they go. */
  readonly #candidates = new Map<number, number>();
  /** Of the reads whose results went last time. */
  readonly #prunedFiles = new Set<number>();
  /** By call, and by file for the last that touches it: how many answers of the model there were with its own. */
  readonly #turnOf: number[] = [];
  readonly #touchedIn = new Map<number, number>();
  /** What was taken in. */
  #entries = 0;
  #turns = 0;
  #responses = 0;
  /** Before that answer of the model no more results go, and no reason is another one. */
  #nextTurn = Number.POSITIVE_INFINITY;

  constructor(index: HistoryIndex, inForce: RulesInForce, vocabulary: ToolVocabulary) {
    this.#index = index;
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
  }

  /** Takes in what is new; whether `prune` may now do to the same draft what it did not do last time. Linear in what is new. */
  takeIn(): boolean {
    const touchesPruned = this.#takeInCalls();
    const hasOtherResults = this.#takeInResponses();
    return touchesPruned || hasOtherResults || this.#turns >= this.#nextTurn;
  }

  /**
   * Replaces by the pointer results of shell commands and searches that were sent `resultCalls` times, and results of
   * reads that cost more than `carriedTokens` over the calls since anything touched their files: the larger, the sooner.
   * Linear in calls with long results.
   */
  prune(draft: HistoryDraft): void {
    this.#prunedFiles.clear();
    this.#nextTurn = Number.POSITIVE_INFINITY;
    for (const [call, leastSent] of this.#candidates) {
      if (this.#isEarly(call, leastSent)) continue;
      const results = longResults(draft, this.#index, call);
      const chars = results.reduce((sum, result) => sum + result.chars, 0);
      if (this.#isEarly(call, this.#leastSent(call, chars))) continue;
      if (results.length === 0) continue;
      const files = this.#index.calls.files[call]!;
      if (isPureRead(files)) for (const file of filesRead(files)) this.#prunedFiles.add(file);
      const reason = this.#reasonOf(call);
      for (const { entry, block, item } of results) {
        draft.replaceBlock(entry, block, { by: { ...item, result: PRUNED_RESULT }, reason });
      }
      this.#nextTurn = Math.min(this.#nextTurn, this.#turns + 1);
    }
  }

  #reasonOf(call: number): CarriedResult {
    const touched = this.#index.calls.files[call]!;
    const files = isPureRead(touched) ? filesRead(touched).map((file) => this.#index.file(file)) : [];
    const sentCalls = this.#turns - this.#countedFrom(call);
    return { rule: 'carriedResult', call: this.#index.placeOfCall(call), files, sentCalls };
  }

  /** Whether a call touches a file that a result went of. */
  #takeInCalls(): boolean {
    const { history, calls } = this.#index;
    let touchesPruned = false;
    for (; this.#entries < history.length; this.#entries++) {
      if (history[this.#entries]!.speaker === 'ai') this.#turns++;
      for (let call = this.#turnOf.length; calls.entry[call] === this.#entries; call++) {
        this.#turnOf.push(this.#turns);
        for (const file of filesTouched(calls.files[call]!)) {
          this.#touchedIn.set(file, this.#turns);
          if (this.#prunedFiles.has(file)) touchesPruned = true;
        }
      }
    }
    return touchesPruned;
  }

  /** Whether there is a result that may go at once, or a further one of a call. */
  #takeInResponses(): boolean {
    const { responses, links } = this.#index;
    let hasOther = false;
    for (; this.#responses < responses.entry.length; this.#responses++) {
      const call = links.owner[this.#responses]!;
      if (call === -1 || responses.tool[this.#responses] === -1) continue;
      const { result } = this.#index.response(this.#responses);
      if (!isLong(result)) continue;
      if (this.#candidates.has(call)) {
        this.#candidates.set(call, LEAST_CALLS);
        hasOther = true;
      } else if (this.#mayGo(call)) {
        const leastSent = this.#leastSent(call, result.length);
        this.#candidates.set(call, leastSent);
        if (!this.#isEarly(call, leastSent)) hasOther = true;
      }
    }
    return hasOther;
  }

  #mayGo(call: number): boolean {
    const { rules, protection } = this.#inForce;
    const isRead = isPureRead(this.#index.calls.files[call]!);
    if ((isRead ? rules.carriedTokens : rules.resultCalls) === 0) return false;
    const block = this.#index.call(call);
    return this.#looksUp(block) && !protection.coversCall(block, this.#vocabulary);
  }

  /** With how many calls the results of a call are sent, of so many characters, before they go. */
  #leastSent(call: number, chars: number): number {
    const { resultCalls, carriedTokens } = this.#inForce.rules;
    if (!isPureRead(this.#index.calls.files[call]!)) return Math.max(LEAST_CALLS, resultCalls);
    return Math.max(LEAST_CALLS, Math.floor((carriedTokens * CHARS_PER_TOKEN) / chars));
  }

  /** Whether the results of a call were sent less than so often, those of a read since its files were touched. */
  #isEarly(call: number, leastSent: number): boolean {
    const turn = this.#countedFrom(call) + leastSent;
    if (this.#turns >= turn) return false;
    this.#nextTurn = Math.min(this.#nextTurn, turn);
    return true;
  }

  #countedFrom(call: number): number {
    const files = this.#index.calls.files[call]!;
    if (!isPureRead(files)) return this.#turnOf[call]!;
    if (typeof files === 'number') return this.#touchedIn.get(files)!;
    return Math.max(...filesRead(files).map((file) => this.#touchedIn.get(file)!));
  }

  /** Whether a call reads, runs a command or searches, as far as its vocabulary knows. */
  #looksUp(call: ToolCallBlock): boolean {
    const role = toolRole(toolDefinition(this.#vocabulary, call.name), call.parameters);
    return role === 'read' || role === 'shell' || role === 'search';
  }
}

function isLong(result: unknown): result is string {
  return typeof result === 'string' && result.length >= LEAST_CHARS && !isPruned(result);
}

interface LongResult {
  readonly entry: number;
  readonly block: number;
  readonly item: ToolResponseBlock;
  readonly chars: number;
}

/** The results of a call that are text, long enough, and still there. */
function longResults(draft: HistoryDraft, { responses, links }: HistoryIndex, call: number): LongResult[] {
  const results: LongResult[] = [];
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
    const [entry, block] = [responses.entry[at]!, responses.block[at]!];
    if (draft.isRemoved(entry, block)) continue;
    const item = draft.blockAt(entry, block) as ToolResponseBlock;
    if (isLong(item.result)) results.push({ entry, block, item, chars: item.result.length });
  }
  return results;
}
