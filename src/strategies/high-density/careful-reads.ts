import type { ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/file-access.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import type { DebugLogger, DensityRules } from '../contract.ts';
import { cutRuns } from './cut-lines.ts';
import type { HistoryDraft } from './draft.ts';
import { type CallFiles, type HistoryIndex, NO_FILES } from './history-index.ts';
import { LaterLines } from './later-lines.ts';
import type { Protection } from './protection.ts';
import type { LineCut, ReadDecision, ReadDecisions } from './read-decisions.ts';
import { logUnrecognized, mayHaveHappened, removePair } from './read-write.ts';
import type { ResponseLinks } from './response-links.ts';
import type { ShownLines } from './shown-lines.ts';

/** Share of the lines of a read that a later one of just the same must show to take its place: not only "unchanged". */
const LEAST_SHARED_RATIO = 0.5;

/** Of files whose lines are not compared. */
const NO_LINES = new LaterLines();

/** What later calls did to a file and show of it, while the history is passed from its end. */
interface FileState {
  /** Entry of the last write that may have happened, -1 for none. */
  latestWrite: number;
  /** Entry of the last call that touches it, whatever came of it. */
  readonly latestTouch: number;
  /** A later write replaced the whole file. */
  isReplaced: boolean;
  readonly lines: LaterLines;
}

interface CarefulOptions {
  readonly rules: DensityRules;
  /** Whether reads that were written after go at all. */
  readonly prunesStale: boolean;
  readonly protection: Protection;
  readonly lines: ShownLines;
  /** Those of the run before. */
  readonly decisions: ReadDecisions;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly logger?: DebugLogger | undefined;
}

/** How many pairs went because they were written after, and because later reads show the same; of how many results lines went. */
export interface CarefulPrunings {
  readonly stale: number;
  readonly superseded: number;
  readonly cut: number;
}

/**
 * `pruneReadWritePairs` under `rules`: which of the reads that were written after go, and which go beside them because
 * later reads show the same. Linear in calls and responses, and in text that `lines` has not seen yet; lines are looked
 * at again where calls touch their file anew.
 */
export function pruneReadsByRules(draft: HistoryDraft, index: HistoryIndex, options: CarefulOptions): CarefulPrunings {
  return new CarefulReads(draft, index, options).prune();
}

class CarefulReads {
  readonly #draft: HistoryDraft;
  readonly #index: HistoryIndex;
  readonly #options: CarefulOptions;
  readonly #links: ResponseLinks;
  readonly #files: (FileState | undefined)[];
  /** A call before this entry was followed by enough model calls. */
  readonly #quietBefore: number;
  readonly #comparesLines: boolean;

  constructor(draft: HistoryDraft, index: HistoryIndex, options: CarefulOptions) {
    this.#draft = draft;
    this.#index = index;
    this.#options = options;
    this.#links = index.links;
    this.#files = new Array(index.fileCount);
    this.#quietBefore = quietBefore(draft, options.rules.quietCalls);
    this.#comparesLines = options.rules.partialEdits !== 'prune' || options.rules.supersededReads;
  }

  prune(): CarefulPrunings {
    const { calls } = this.#index;
    const { decisions, logger, prunesStale, rules } = this.#options;
    const pruned = { stale: 0, superseded: 0, cut: 0 };
    decisions.begin(this.#index, rules.quietCalls > 0 ? undefined : JSON.stringify([prunesStale, rules]));
    for (let call = calls.files.length - 1; call >= 0; call--) {
      const files = calls.files[call]!;
      if (files === NO_FILES) continue;
      if (typeof files !== 'number' && files.isUnrecognized && logger) {
        logUnrecognized(logger, this.#draft, calls.entry[call]!, calls.block[call]!);
      }
      if (!decisions.stands(files)) decisions.set(call, this.#decide(call, files));
      const decision = decisions.of(call);
      if (decision === undefined) continue;
      if (typeof decision === 'string') {
        removePair(this.#draft, this.#index, call);
        pruned[decision]++;
      } else {
        for (const { entry, block, replacement } of decision) this.#draft.replaceBlock(entry, block, replacement);
        pruned.cut += decision.length;
      }
    }
    return pruned;
  }

  #decide(call: number, files: CallFiles): ReadDecision | undefined {
    const reason = this.#reasonToPrune(call, files);
    const { prunesStale, rules } = this.#options;
    const cutsLines = prunesStale && rules.partialEdits === 'keep-lines';
    const cuts = reason === undefined && cutsLines ? this.#cutsOf(call, files) : undefined;
    this.#note(call, { files, isPruned: reason !== undefined });
    return reason ?? cuts;
  }

  #reasonToPrune(call: number, files: CallFiles): 'stale' | 'superseded' | undefined {
    const isPureRead = typeof files === 'number' ? files >= 0 : files.isPureRead;
    if (!isPureRead || this.#links.lastResponse[call] === -1) return undefined;
    const entry = this.#index.calls.entry[call]!;
    const states = (typeof files === 'number' ? [files] : files.reads).map((file) => this.#files[file]);
    if (!states.every((state) => state !== undefined)) return undefined;
    const { prunesStale, rules } = this.#options;
    if (states.every(({ latestWrite }) => latestWrite > entry)) {
      return prunesStale && this.#mayGo(call, states) && !this.#isProtected(call) ? 'stale' : undefined;
    }
    const isSuperseded = rules.supersededReads && states.length === 1 && this.#isShownAgain(call, states[0]!.lines);
    return isSuperseded && !this.#isProtected(call) ? 'superseded' : undefined;
  }

  /** Whether a read that was written after may go already. */
  #mayGo(call: number, states: readonly FileState[]): boolean {
    const { partialEdits, quietCalls } = this.#options.rules;
    const isQuiet = states.every(({ latestTouch }) => latestTouch < this.#quietBefore);
    if (partialEdits === 'prune') return quietCalls === 0 || isQuiet;
    if (quietCalls > 0 && isQuiet) return true;
    const isNothingLeft = states.every(({ isReplaced }) => isReplaced);
    return isNothingLeft || (states.length === 1 && this.#standsElsewhere(call, states[0]!.lines));
  }

  /** Whether each line of a read that still stands is shown by something later. */
  #standsElsewhere(call: number, later: LaterLines): boolean {
    if (this.#isGone(call)) return false;
    const { shown, gone } = later.seen();
    return this.#linesOf(call).every((mark) => shown.has(mark) || gone.has(mark));
  }

  /** Whether a result of the call was replaced by the pointer: nobody can say what it showed. */
  #isGone(call: number): boolean {
    const { tool } = this.#index.responses;
    let at = this.#links.lastResponse[call]!;
    while (at !== -1 && tool[at] !== -1) at = this.#links.previousResponse[at]!;
    return at !== -1;
  }

  #isShownAgain(call: number, later: LaterLines): boolean {
    if (this.#isGone(call)) return false;
    const marks = this.#linesOf(call);
    if (marks.length === 0) return false;
    const { shown, requests } = later.seen();
    const sharedCount = marks.filter((mark) => shown.has(mark)).length;
    if (sharedCount === marks.length) return true;
    return requests.has(this.#requestOf(call)) && sharedCount >= LEAST_SHARED_RATIO * marks.length;
  }

  #linesOf(call: number): readonly number[] {
    const { entry, block } = this.#index.responses;
    const ofResponse = (at: number): readonly number[] =>
      at === -1 ? [] : this.#options.lines.ofResponse(this.#draft.history[entry[at]!]!, block[at]!);
    const last = this.#links.lastResponse[call]!;
    let marks = ofResponse(last);
    for (let at = last; at !== -1; ) {
      at = this.#links.previousResponse[at]!;
      if (at !== -1) marks = [...marks, ...ofResponse(at)];
    }
    return marks;
  }

  /** The results of a read without what was changed since or is shown later, `undefined` where all stays. */
  #cutsOf(call: number, files: CallFiles): readonly LineCut[] | undefined {
    const isPureRead = typeof files === 'number' ? files >= 0 : files.isPureRead;
    if (!isPureRead || this.#links.lastResponse[call] === -1) return undefined;
    const states = (typeof files === 'number' ? [files] : files.reads).flatMap((file) => this.#files[file] ?? []);
    if (states.length === 0) return undefined;
    const later = states.map((state) => ({ isReplaced: state.isReplaced, ...state.lines.seen() }));
    const isNeedless = (mark: number): boolean =>
      later.some(({ isReplaced, gone, shown }) => isReplaced || gone.has(mark) || shown.has(mark));
    const { entry, block, tool } = this.#index.responses;
    const { lines } = this.#options;
    const cuts: LineCut[] = [];
    for (let at = this.#links.lastResponse[call]!; at !== -1; at = this.#links.previousResponse[at]!) {
      const item = this.#draft.blockAt(entry[at]!, block[at]!) as ToolResponseBlock;
      if (tool[at] === -1 || typeof item.result !== 'string') continue;
      const runs = cutRuns(lines.ofResponse(this.#draft.history[entry[at]!]!, block[at]!), isNeedless);
      if (runs === '') continue;
      const result = lines.ofCut(item, { runs, isNeedless });
      if (result === item.result) continue;
      if (this.#isProtected(call)) return undefined;
      cuts.push({ entry: entry[at]!, block: block[at]!, replacement: { ...item, result } });
    }
    return cuts.length === 0 ? undefined : cuts;
  }

  /** Takes in what a call does to its files and shows of them. */
  #note(call: number, { files, isPruned }: { files: CallFiles; isPruned: boolean }): void {
    const isSingle = typeof files === 'number';
    const reads = isSingle ? (files >= 0 ? [files] : []) : files.reads;
    const writes = isSingle ? (files < 0 ? [~files] : []) : files.writes;
    for (const file of reads) this.#touch(file, call);
    for (const file of writes) this.#touch(file, call);
    if (writes.length > 0 && mayHaveHappened(this.#index, call)) {
      for (const file of writes) this.#noteWrite(call, this.#files[file]!);
    }
    if (!this.#comparesLines || isPruned || reads.length !== 1 || writes.length > 0) return;
    const state = this.#files[reads[0]!]!;
    if (state.isReplaced) return;
    state.lines.noteRead(() => ({ marks: this.#linesOf(call), request: this.#requestOf(call) }));
  }

  #touch(file: number, call: number): void {
    this.#files[file] ??= {
      latestWrite: -1,
      latestTouch: this.#index.calls.entry[call]!,
      isReplaced: false,
      lines: this.#comparesLines ? new LaterLines() : NO_LINES,
    };
  }

  #noteWrite(call: number, state: FileState): void {
    if (state.latestWrite === -1) state.latestWrite = this.#index.calls.entry[call]!;
    if (!this.#comparesLines || state.isReplaced) return;
    const written = this.#options.lines.ofWrite(this.#callBlock(call));
    state.lines.noteWrite(written);
    state.isReplaced = written.isWhole;
  }

  #callBlock(call: number): ToolCallBlock {
    const { entry, block } = this.#index.calls;
    return this.#draft.history[entry[call]!]!.blocks[block[call]!] as ToolCallBlock;
  }

  /** What a read asked for; '' where that cannot be said. */
  #requestOf(call: number): string {
    const { name, parameters } = this.#callBlock(call);
    try {
      return `${name} ${JSON.stringify(parameters)}`;
    } catch {
      return '';
    }
  }

  #isProtected(call: number): boolean {
    const { protection, vocabulary, workspaceRoot } = this.#options;
    const block = this.#callBlock(call);
    if (protection.coversTool(block.name)) return true;
    if (!protection.coversFiles) return false;
    return fileAccess(block, vocabulary, workspaceRoot).reads.some((file) => protection.coversFile(file));
  }
}

/** The entry that the last `quietCalls` model calls begin at: what stands before it was left alone for so long. */
function quietBefore({ history }: HistoryDraft, quietCalls: number): number {
  if (quietCalls === 0) return history.length;
  let left = quietCalls;
  for (let entry = history.length - 1; entry >= 0; entry--) {
    if (history[entry]!.speaker === 'ai' && --left === 0) return entry;
  }
  return 0;
}
