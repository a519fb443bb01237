import { madeOnce } from '../../../content/group-by.ts';
import type { EditReason } from '../../reasons/edit-reason.ts';
import { applyDecision } from '../rules/prune-reads.ts';
import { isRemoval, type ReadDecision, type ReadPass, readPass } from '../rules/reads/read-pass.ts';
import { quietBefore } from '../rules/reads/stale-read.ts';
import type { Draft } from '../rules/rule.ts';
import { type CallFiles, filesTouched, isPureRead, NO_FILES } from './call-files.ts';
import { FileLines, linesOfCall, TouchedLines } from './file-lines.ts';
import { IndexedCall } from './indexed-call.ts';
import type { PassContext, RepeatedPass } from './repeated-pass.ts';

/**
 * The decisions on the reads of a history, while entries are only added and the rules are the same. A decision is valid until
 * a call touches a file of the read, another result of such a call arrives, or the file was left alone for as long as
 * rules require. It depends on nothing else. Of other reads of its file only those concern it that show one of its lines.
 */
export class ReadDecisions implements RepeatedPass {
  readonly #context: PassContext;
  /** By call; kept ones have none. */
  readonly #decisions = new Map<number, ReadDecision>();
  /** Reads that another read with the same request may supersede. */
  readonly #byRequest = new Set<number>();
  /** By file, for those that were used again. */
  readonly #lines = new Map<number, FileLines>();
  /** Number of rows read so far, and of calls before this run. */
  #calls = 0;
  #responses = 0;
  #callsBefore = 0;
  /** Calls before this run whose results it found. */
  readonly #answered = new Set<number>();
  /** The entry before which calls are quiet, their number, and the entry in the run before. */
  #quietEntry = 0;
  #quietCount = 0;
  #quietEntryBefore = 0;
  /** Files that calls use together with others: the decision on one may depend on all of them. */
  readonly #together = new Set<number>();
  #run = 0;
  /** By file: the last run that opened the decisions on its reads. */
  readonly #openedIn: number[] = [];
  /** The files whose decisions this run opened. If a call touches one of them, all its files are among them. */
  readonly #opened: number[] = [];
  /** True if other results are removed since the last run. */
  #hasChanged = false;

  constructor(context: PassContext) {
    this.#context = context;
  }

  /** Decides on the reads that new rows concern. Linear in new rows, and in all lines that the files of these showed. */
  update(): boolean {
    const { index, inForce } = this.#context;
    this.#openNew();
    if (this.#opened.length === 0) return false;
    const pass = readPass(index.history, inForce);
    if (this.#callsBefore === 0) {
      // The first run: there is no need to find the calls on each file.
      const { files } = index.calls;
      for (let call = this.#calls - 1; call >= 0; call--) if (files[call] !== NO_FILES) this.#decide(call, pass);
      return this.#hasChanged;
    }
    const together = this.#opened.filter((file) => this.#together.has(file));
    if (together.length > 0) this.#decideAll(index.rowsOfFiles(together), pass);
    for (const file of this.#opened) {
      if (this.#together.has(file)) continue;
      const calls = index.rowsOfFiles([file]);
      if (this.#areAllConcerned(calls)) this.#decideAll(calls, pass);
      else this.#decideConcerned(file, calls, pass);
    }
    return this.#hasChanged;
  }

  /** All calls on files, the latest first. */
  #decideAll(calls: readonly number[], pass: ReadPass): void {
    for (const call of calls) this.#decide(call, pass);
  }

  /** Decides again on the calls on a file whose decision may change because of new reads, the latest first. */
  #decideConcerned(file: number, calls: readonly number[], pass: ReadPass): void {
    const { index } = this.#context;
    const touched = new TouchedLines();
    const lines = this.#linesOf(file, calls);
    let from = 0;
    for (;;) {
      const at = this.#nextConcerned(calls, from, { touched, lines });
      const call = calls[at];
      if (call === undefined) return;
      for (; from < at; from++) pass.pass(new IndexedCall(index, calls[from]!), this.#decisions.get(calls[from]!));
      from++;
      const wasRemoved = isRemoval(this.#decisions.get(call));
      this.#decide(call, pass);
      if (this.#isNew(call) || wasRemoved !== isRemoval(this.#decisions.get(call)))
        for (const shown of linesOfCall(index, call)) touched.add(shown);
    }
  }

  /** The first of these calls from an index on that is new, or shows such a line; their number if there is none. */
  #nextConcerned(
    calls: readonly number[],
    from: number,
    { touched, lines }: { readonly touched: TouchedLines; readonly lines: FileLines },
  ): number {
    if (calls[from]! >= this.#callsBefore) return from;
    const next = calls.length - 1 - lines.lastShowing(touched, calls.length - from);
    if (this.#answered.size === 0 && this.#byRequest.size === 0) return next;
    const other = calls.findIndex(
      (call, at) => at >= from && (this.#answered.has(call) || (!touched.isEmpty && this.#byRequest.has(call))),
    );
    return other === -1 ? next : Math.min(next, other);
  }

  /** The lines that the calls on a file show, the latest first. */
  #linesOf(file: number, calls: readonly number[]): FileLines {
    const lines = madeOnce(this.#lines, file, () => new FileLines());
    lines.add(calls, this.#context.index);
    return lines;
  }

  #decide(call: number, pass: ReadPass): void {
    const read = new IndexedCall(this.#context.index, call);
    if (pass.dependsOnRequests(read)) this.#byRequest.add(call);
    else this.#byRequest.delete(call);
    this.#set(call, pass.decide(read));
  }

  /** True if more than new reads concerns the calls on one file, the latest first. */
  #areAllConcerned(calls: readonly number[]): boolean {
    const { entry, files } = this.#context.index.calls;
    const before = calls.find((call) => call < this.#callsBefore);
    if (before === undefined) return true;
    const wasQuiet = entry[before]! < this.#quietEntryBefore;
    const isQuiet = entry[calls[0]!]! < this.#quietEntry;
    return calls.some((call) => !isPureRead(files[call]!) && (wasQuiet !== isQuiet || this.#isNew(call)));
  }

  #isNew(call: number): boolean {
    return call >= this.#callsBefore || this.#answered.has(call);
  }

  prune(draft: Draft<EditReason>): void {
    for (const [call, decision] of this.#decisions) {
      applyDecision(draft, new IndexedCall(this.#context.index, call), decision);
    }
  }

  /** Opens the files that new rows concern. Linear in these rows and in calls of the last turns. */
  #openNew(): void {
    const { index, inForce } = this.#context;
    const { calls, links, responses } = index;
    this.#run++;
    this.#hasChanged = false;
    while (this.#openedIn.length < index.fileCount) this.#openedIn.push(0);
    this.#opened.length = 0;
    this.#answered.clear();
    this.#callsBefore = this.#calls;
    for (let call = this.#calls; call < calls.files.length; call++) this.#open(calls.files[call]!);
    for (let response = this.#responses; response < responses.entry.length; response++) {
      const call = links.owner[response]!;
      if (call === -1 || call >= this.#calls) continue;
      this.#open(calls.files[call]!);
      this.#answered.add(call);
      for (const file of filesTouched(calls.files[call]!)) this.#lines.delete(file);
      // It is removed with its call.
      if (this.#decisions.has(call)) this.#hasChanged = true;
    }
    this.#quietEntryBefore = this.#quietEntry;
    this.#quietEntry = quietBefore(index.history, inForce.rules.quietCalls);
    for (; calls.entry[this.#quietCount]! < this.#quietEntry; this.#quietCount++) {
      // Later ones are open.
      if (this.#quietCount < this.#calls) this.#open(calls.files[this.#quietCount]!);
    }
    if (this.#together.size > 0) this.#openTogether();
    this.#calls = calls.files.length;
    this.#responses = responses.entry.length;
  }

  #set(call: number, decision: ReadDecision | undefined): void {
    if (isSame(decision, this.#decisions.get(call))) return;
    this.#hasChanged = true;
    if (decision === undefined) this.#decisions.delete(call);
    else this.#decisions.set(call, decision);
  }

  #open(files: CallFiles): void {
    if (typeof files === 'number') {
      this.#openFile(files < 0 ? ~files : files);
      return;
    }
    for (const file of filesTouched(files)) {
      this.#openFile(file);
      this.#together.add(file);
    }
  }

  #openFile(file: number): void {
    if (this.#openedIn[file] === this.#run) return;
    this.#openedIn[file] = this.#run;
    this.#opened.push(file);
  }

  #openTogether(): void {
    const together = [...this.#together];
    if (!together.some((file) => this.#openedIn[file] === this.#run)) return;
    for (const file of together) this.#openFile(file);
  }
}

/** True if a read is still kept, or removed for the same reason. */
function isSame(one: ReadDecision | undefined, other: ReadDecision | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (!('rule' in one && 'rule' in other) || one.rule !== other.rule) return false;
  return one.causes.every(({ file, call }, at) => {
    const cause = other.causes[at]!;
    return cause.file === file && cause.call.entry === call.entry && cause.call.block === call.block;
  });
}
