import { append } from '../../../content/append.ts';
import type { IContent } from '../../../content/content.ts';
import { PRUNED_RESULT } from '../../../content/pruned-result.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { BlockPlace, CallPlace } from '../../reasons/call-place.ts';
import { isAttached, resultOf, withoutLines } from './attached-read.ts';
import { type FileCall, type FileKey, placeOfCall } from './file-call.ts';
import type { Draft, RulesInForce } from './rule.ts';
import { type CarriedSettings, isLong, leastSentCalls, mayExpire } from './sent-calls.ts';

/**
 * The result of `call` was sent with at least `leastSentCalls` model calls, the number of the rule. `files`: the files
 * that it reads; only model calls since the last use of them are counted. Empty for a command or a search.
 */
export interface CarriedResult {
  readonly rule: 'carriedResult';
  readonly call: CallPlace;
  readonly files: readonly string[];
  readonly leastSentCalls: number;
}

/** The calls of a history to which entries are only added, in order. */
export interface CallList {
  readonly history: readonly IContent[];
  readonly count: number;
  /** The numbers of the calls whose results are new. */
  readonly answered: Iterable<number>;
  at(call: number): FileCall;
}

/** A call, the answers of the model up to it, and the files that its results show. */
interface KnownCall extends BlockPlace {
  readonly turn: number;
  readonly files: readonly FileKey[];
  /** Its place among the reads. */
  readonly place: number;
}

/** Reads that are used together: the places of the first and the last one, their files, and the answers of the model until the last use of one. */
interface WorkingSet {
  readonly first: number;
  readonly last: number;
  readonly files: readonly FileKey[];
  readonly usedIn: number;
}

/** The results that may expire in a history to which entries are only added. */
export class ExpiringResults {
  readonly #inForce: RulesInForce<CarriedSettings>;
  readonly #vocabulary: ToolVocabulary;
  readonly #calls: KnownCall[] = [];
  readonly #reads: KnownCall[] = [];
  #at: CallList['at'] | undefined;
  /** By the number of a call: the least number of model calls with its results before they expire. */
  readonly #candidates = new Map<number, number>();
  /** By file: the answers of the model up to the last call that touches it. */
  readonly #touchedIn = new Map<FileKey, number>();
  #entries = 0;
  #turns = 0;
  /** The files in the working sets of the results that the last run replaced, and the answer of the model with the last read. */
  readonly #replacedFiles = new Set<FileKey>();
  #lastReplaced = Number.NEGATIVE_INFINITY;
  /** Before that answer of the model no further results expire. */
  #nextTurn = Number.POSITIVE_INFINITY;

  constructor(inForce: RulesInForce<CarriedSettings>, vocabulary: ToolVocabulary) {
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
  }

  /** Reads what is new in a history; true if `prune` may edit it in another way than last time. Linear in it. */
  add({ history, count, answered, at }: CallList): boolean {
    let touchesReplaced = false;
    this.#at = at;
    for (let number = this.#calls.length; number < count; number++) {
      const { entry, block, readKeys: files, writeKeys } = at(number);
      this.#follow(history, entry + 1);
      const call = { entry, block, turn: this.#turns, files, place: this.#reads.length };
      this.#calls.push(call);
      if (files.length > 0) {
        this.#reads.push(call);
        touchesReplaced ||= this.#areTogether(call.turn, this.#lastReplaced);
      }
      for (const file of [...files, ...writeKeys]) {
        this.#touchedIn.set(file, call.turn);
        touchesReplaced ||= this.#replacedFiles.has(file);
      }
    }
    this.#follow(history, history.length);
    for (const number of answered) this.#addResults(number, at(number));
    return touchesReplaced || this.#turns >= this.#nextTurn;
  }

  /** Linear in candidates and their working sets. */
  prune(draft: Draft<CarriedResult>): void {
    this.#nextTurn = Number.POSITIVE_INFINITY;
    const replaced = new Set<WorkingSet>();
    let lastSet: WorkingSet | undefined;
    for (const [number, leastKnown] of this.#candidates) {
      const call = this.#calls[number]!;
      const isRead = call.files.length > 0;
      if (isRead) {
        if (draft.isRemoved(call.entry, call.block)) continue;
        const isOfLast = lastSet !== undefined && call.place >= lastSet.first && call.place <= lastSet.last;
        if (!isOfLast) lastSet = this.#workingSet(draft, call);
      }
      const sentCalls = this.#turns - (isRead ? lastSet!.usedIn : call.turn);
      const least =
        sentCalls < leastKnown
          ? leastKnown
          : replaceExpired(draft, this.#at!(number), { inForce: this.#inForce, sentCalls });
      if (sentCalls < least) this.#expect(sentCalls, least);
      else if (isRead) replaced.add(lastSet!);
    }
    this.#replacedFiles.clear();
    this.#lastReplaced = Number.NEGATIVE_INFINITY;
    for (const { files, last } of replaced) {
      for (const file of files) this.#replacedFiles.add(file);
      this.#lastReplaced = Math.max(this.#lastReplaced, this.#reads[last]!.turn);
    }
  }

  #follow(history: readonly IContent[], end: number): void {
    for (; this.#entries < end; this.#entries++) if (history[this.#entries]!.speaker === 'ai') this.#turns++;
  }

  /** Its working set may have been used later, so that a result expires later. */
  #addResults(number: number, call: FileCall): void {
    const chars = call.responses.reduce(
      (sum, { response: { result } }) => (isLong(result) ? sum + result.length : sum),
      0,
    );
    if (chars === 0 || !mayExpire(call, this.#inForce, this.#vocabulary)) return;
    const { files, turn } = this.#calls[number]!;
    const least = leastSentCalls(call, this.#inForce, chars);
    this.#candidates.set(number, least);
    this.#expect(this.#turns - (files.length === 0 ? turn : this.#lastUse(files)), least);
  }

  /**
   * The working set of a read that is left: each is at most `workingSetCalls` model calls after the one before it, because an
   * agent reads together what it changes one by one. Removed reads are in no set, because they are not known when the history
   * without them is pruned again. Linear in it.
   */
  #workingSet(draft: Draft<CarriedResult>, read: KnownCall): WorkingSet {
    const files = [...read.files];
    const [first, last] = [-1, 1].map((step) => {
      let end = read;
      for (let place = read.place + step; place in this.#reads; place += step) {
        const other = this.#reads[place]!;
        if (!this.#areTogether(other.turn, end.turn)) break;
        if (draft.isRemoved(other.entry, other.block)) continue;
        end = other;
        append(files, other.files);
      }
      return end.place;
    });
    return { first: first!, last: last!, files, usedIn: this.#lastUse(files) };
  }

  /** True if two reads with none between them belong to one working set. Both are counted in model calls. */
  #areTogether(turn: number, other: number): boolean {
    const { workingSetCalls } = this.#inForce.rules;
    return workingSetCalls > 0 && Math.abs(turn - other) <= workingSetCalls;
  }

  #lastUse(files: readonly FileKey[]): number {
    return files.reduce<number>((last, file) => Math.max(last, this.#touchedIn.get(file)!), 0);
  }

  /** What was sent `sentCalls` times expires no earlier than when it was sent `leastSent` times. */
  #expect(sentCalls: number, leastSent: number): void {
    this.#nextTurn = Math.min(this.#nextTurn, this.#turns - sentCalls + leastSent);
  }
}

/**
 * Replaces the long results of a call in the draft if they were sent often enough. Returns that number of model calls:
 * infinite if no such result is left.
 */
function replaceExpired(
  draft: Draft<CarriedResult>,
  call: FileCall,
  { inForce, sentCalls }: { inForce: RulesInForce<CarriedSettings>; sentCalls: number },
): number {
  let chars = 0;
  for (const { entry, block } of call.responses) {
    const result = resultAt(draft, entry, block);
    if (isLong(result)) chars += result.length;
  }
  const leastSent = chars === 0 ? Number.POSITIVE_INFINITY : leastSentCalls(call, inForce, chars);
  if (sentCalls < leastSent) return leastSent;
  const reason = {
    rule: 'carriedResult',
    call: placeOfCall(call),
    files: call.reads,
    leastSentCalls: leastSent,
  } as const;
  for (const { entry, block, response } of call.responses) {
    if (!isLong(resultAt(draft, entry, block))) continue;
    const content = draft.history[entry]!;
    const by = isAttached(call.call) ? withoutLines(content, block) : { ...response, result: PRUNED_RESULT };
    if (by) draft.replaceBlock(entry, block, { by, reason });
  }
  return leastSent;
}

/** The present result of a response; `undefined` once it is removed. */
function resultAt(draft: Draft<CarriedResult>, entry: number, block: number): unknown {
  const left = draft.blockAt(entry, block);
  if (left?.type === 'text') return resultOf(draft.history[entry]!, left);
  return left?.type === 'tool_response' ? left.result : undefined;
}
