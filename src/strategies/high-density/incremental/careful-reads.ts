import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { FileCause } from '../../edit-reason.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import { type CallFiles, filesRead, isPureRead } from './call-files.ts';
import { CallLines } from './call-lines.ts';
import { cutRuns } from './cut-lines.ts';
import type { HistoryIndex } from './history-index.ts';
import { LaterCalls } from './later-calls.ts';
import type { LaterLines } from './later-lines.ts';
import { type LineCut, type ReadDecision, ReadDecisions, type ReadRemoval } from './read-decisions.ts';
import type { ShownLines } from './shown-lines.ts';

/** Share of the lines of a read that a later one of just the same must show to take its place: not only "unchanged". */
const LEAST_SHARED_RATIO = 0.5;

interface ReadContext {
  readonly inForce: RulesInForce;
  readonly vocabulary: ToolVocabulary;
  readonly lines: ShownLines;
}

/**
 * Decides of the reads of a history to which entries are only added which of those that were written after go, and which
 * go beside them because later reads show the same.
 */
export class CarefulReads {
  readonly decisions = new ReadDecisions();
  readonly #index: HistoryIndex;
  readonly #inForce: RulesInForce;
  readonly #vocabulary: ToolVocabulary;
  readonly #shown: ShownLines;
  readonly #lines: CallLines;
  /** By file, as the calls that were passed leave it. */
  #later: (LaterCalls | undefined)[] = [];
  readonly #comparesLines: boolean;

  constructor(index: HistoryIndex, { inForce, vocabulary, lines }: ReadContext) {
    this.#index = index;
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
    this.#shown = lines;
    this.#lines = new CallLines(index, lines);
    this.#comparesLines = inForce.rules.partialEdits !== 'prune' || inForce.rules.supersededReads;
  }

  /**
   * Takes in what is new and decides anew what that leaves open; whether other things go than before. Linear in calls, in
   * responses of open ones, and in text that was not looked at before; the lines of open files are compared again.
   */
  decide(): boolean {
    if (!this.decisions.begin(this.#index, this.#inForce.rules.quietCalls)) return false;
    const { files: filesOf } = this.#index.calls;
    this.#later = new Array(this.#index.fileCount);
    for (let call = filesOf.length - 1; call >= 0; call--) {
      const files = filesOf[call]!;
      if (this.decisions.isOpen(files)) this.decisions.set(call, this.#decisionOn(call, files));
    }
    return this.decisions.hasChanged;
  }

  #decisionOn(call: number, files: CallFiles): ReadDecision | undefined {
    const { prunesStale, rules } = this.#inForce;
    const isAnsweredRead = isPureRead(files) && this.#index.links.lastResponse[call] !== -1;
    const removal = isAnsweredRead ? this.#removalOf(call, files) : undefined;
    const mayCut = isAnsweredRead && prunesStale && rules.partialEdits === 'keep-lines';
    const cuts = mayCut && removal === undefined ? this.#cutsOf(call, files) : undefined;
    this.#note(call, files, { isPruned: removal !== undefined });
    return removal ?? cuts;
  }

  /** Why a read is removed, `undefined` where it is kept. */
  #removalOf(call: number, files: CallFiles): ReadRemoval | undefined {
    const later: LaterCalls[] = [];
    for (const file of filesRead(files)) {
      const calls = this.#later[file];
      if (calls === undefined) return undefined;
      later.push(calls);
    }
    const { prunesStale, rules } = this.#inForce;
    const entry = this.#index.calls.entry[call]!;
    if (later.every(({ latestWrite }) => latestWrite > entry)) {
      if (!prunesStale || !this.#mayGo(call, later) || this.#isProtected(call)) return undefined;
      const causes = filesRead(files).map((file, at) => this.#causeOf(file, later[at]!.firstWriteAfter(entry)));
      return { rule: 'staleRead', read: this.#index.placeOfCall(call), causes };
    }
    const again = rules.supersededReads && later.length === 1 ? this.#shownAgainBy(call, later[0]!) : undefined;
    if (again === undefined || this.#isProtected(call)) return undefined;
    const causes = [this.#causeOf(filesRead(files)[0]!, again)];
    return { rule: 'supersededRead', read: this.#index.placeOfCall(call), causes };
  }

  #causeOf(file: number, call: number): FileCause {
    return { file: this.#index.file(file), call: this.#index.placeOfCall(call) };
  }

  /** Whether a read that was written after may go already. */
  #mayGo(call: number, later: readonly LaterCalls[]): boolean {
    const { partialEdits, quietCalls } = this.#inForce.rules;
    const isQuiet = later.every((calls) => calls.isQuiet);
    if (partialEdits === 'prune') return isQuiet;
    if (quietCalls > 0 && isQuiet) return true;
    const lines = later.map((calls) => calls.lines(this.#lines));
    if (lines.every(({ isReplaced }) => isReplaced)) return true;
    if (lines.length > 1 || this.#isGone(call)) return false;
    return this.#lines.shownBy(call).every((mark) => lines[0]!.settles(mark));
  }

  /** Whether a result of the call was replaced by the pointer: nobody can say what it showed. */
  #isGone(call: number): boolean {
    const { links, responses } = this.#index;
    let at = links.lastResponse[call]!;
    while (at !== -1 && responses.tool[at] !== -1) at = links.previousResponse[at]!;
    return at !== -1;
  }

  /** The call from which on a read's lines are all shown again, or the next one that asks for just the same. */
  #shownAgainBy(call: number, later: LaterCalls): number | undefined {
    if (this.#isGone(call)) return undefined;
    const marks = this.#lines.shownBy(call);
    if (marks.length === 0) return undefined;
    const lines = later.lines(this.#lines);
    const sharedCount = lines.countShown(marks);
    if (sharedCount === marks.length) {
      return marks.reduce((last, mark) => Math.max(last, lines.callThatSettles(mark)), -1);
    }
    if (sharedCount < LEAST_SHARED_RATIO * marks.length) return undefined;
    const request = this.#lines.requestOf(call);
    return lines.reads.findLast((read) => this.#lines.requestOf(read) === request);
  }

  /** The results of a read without what was changed since or is shown later, `undefined` where all stays. */
  #cutsOf(call: number, files: CallFiles): readonly LineCut[] | undefined {
    const later = filesRead(files).flatMap((file): LaterFile[] => {
      const calls = this.#later[file];
      return calls === undefined ? [] : [{ file, lines: calls.lines(this.#lines) }];
    });
    if (later.length === 0) return undefined;
    const settled =
      later.length === 1
        ? later[0]!.lines
        : { settles: (mark: number) => later.some(({ lines }) => lines.settles(mark)) };
    const { entry, block, tool } = this.#index.responses;
    const { lastResponse, previousResponse } = this.#index.links;
    const cuts: LineCut[] = [];
    for (let at = lastResponse[call]!; at !== -1; at = previousResponse[at]!) {
      const item = this.#index.response(at);
      if (tool[at] === -1 || typeof item.result !== 'string') continue;
      const marks = this.#lines.shownIn(at);
      const runs = cutRuns(marks, settled);
      if (runs.length === 0) continue;
      const { text: result, lines } = this.#shown.ofCut(item, { runs, settled });
      if (lines.length === 0) continue;
      if (this.#isProtected(call)) return undefined;
      const cut = runs.flatMap(({ start, end }) => marks.slice(start, end));
      const causes = this.#callsThatSettle(cut, later);
      const reason = { rule: 'changedLines', read: this.#index.placeOfCall(call), lines, causes } as const;
      cuts.push({ entry: entry[at]!, block: block[at]!, by: { ...item, result }, reason });
    }
    return cuts.length === 0 ? undefined : cuts;
  }

  /** The calls that changed or show lines, in order, each with the first of the files that it did so to. */
  #callsThatSettle(marks: readonly number[], later: readonly LaterFile[]): FileCause[] {
    const fileOf = new Map<number, number>();
    for (const mark of marks) {
      const { file, lines } = later.find((one) => one.lines.settles(mark))!;
      const call = lines.callThatSettles(mark);
      if (!fileOf.has(call)) fileOf.set(call, file);
    }
    const calls = [...fileOf].sort(([one], [other]) => one - other);
    return calls.map(([call, file]) => this.#causeOf(file, call));
  }

  /** Takes in what a call does to its files and shows of them. */
  #note(call: number, files: CallFiles, { isPruned }: { isPruned: boolean }): void {
    if (typeof files !== 'number') {
      const { reads, writes } = files;
      const showsLines = reads.length === 1 && writes.length === 0 && !isPruned;
      for (const file of reads) this.#noteRead(file, call, { showsLines });
      for (const file of writes) this.#noteWrite(file, call);
    } else if (files < 0) this.#noteWrite(~files, call);
    else this.#noteRead(files, call, { showsLines: !isPruned });
  }

  #noteRead(file: number, call: number, { showsLines }: { showsLines: boolean }): void {
    const later = this.#laterCalls(file, call);
    if (showsLines && this.#comparesLines) later.noteRead(call);
  }

  #noteWrite(file: number, call: number): void {
    const later = this.#laterCalls(file, call);
    if (mayHaveHappened(this.#index, call)) later.noteWrite(call, this.#index.calls.entry[call]!);
  }

  /** Those of a file, of which `call` is the last if there were none. */
  #laterCalls(file: number, call: number): LaterCalls {
    this.#later[file] ??= new LaterCalls(call < this.decisions.quietCount);
    return this.#later[file];
  }

  #isProtected(call: number): boolean {
    return this.#inForce.protection.coversCall(this.#index.call(call), this.#vocabulary);
  }
}

/** What later calls leave of a file. */
interface LaterFile {
  readonly file: number;
  readonly lines: LaterLines;
}

/** True unless every result of the call is an error. A pending call counts as done. */
function mayHaveHappened({ responses, links }: HistoryIndex, call: number): boolean {
  let response = links.lastResponse[call]!;
  if (response === -1) return true;
  for (; response !== -1; response = links.previousResponse[response]!) {
    if (!responses.isFailure[response]) return true;
  }
  return false;
}
