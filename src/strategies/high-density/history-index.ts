import type { IContent, ToolCallBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/file-access.ts';
import { findInclusions, type Inclusion } from '../../content/inclusions.ts';
import { isFailure } from '../../content/pairing.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import { resolvePath } from '../../content/workspace-path.ts';
import { Numbering } from './numbering.ts';
import { isPruned } from './recency.ts';

/** Which files a call touches, each by its number. */
export interface CallFiles {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly isPureRead: boolean;
  readonly isUnrecognized: boolean;
}

/** An inclusion and the file that it is of, as an absolute path. */
export interface FileInclusion {
  readonly inclusion: Inclusion;
  readonly file: string;
}

const NO_FILES: CallFiles = { reads: [], writes: [], isPureRead: false, isUnrecognized: false };
const NO_INCLUSIONS: readonly FileInclusion[] = [];
/** Numbers that may be given out for texts that are in no history any more, before all are given anew. */
const SPARE_NUMBERS = 50_000;

/** Columns in the order of the history, one row for each call. */
class Calls {
  readonly entry: number[] = [];
  readonly block: number[] = [];
  readonly id: number[] = [];
  readonly files: CallFiles[] = [];

  cut(length: number): void {
    for (const column of [this.entry, this.block, this.id, this.files]) column.length = length;
  }
}

/** Columns in the order of the history, one row for each response. */
class Responses {
  readonly entry: number[] = [];
  readonly block: number[] = [];
  readonly id: number[] = [];
  readonly tool: number[] = [];
  readonly isFailure: boolean[] = [];
  readonly isPruned: boolean[] = [];

  cut(length: number): void {
    const { entry, block, id, tool } = this;
    for (const column of [entry, block, id, tool, this.isFailure, this.isPruned]) column.length = length;
  }
}

/**
 * What pruning must know of a history, kept from one run to the next: an entry whose place and identity are the same
 * is not looked at again, because entries are immutable. So a run costs what changed and a pass over flat columns;
 * objects all over the heap are not touched. Source: bench `optimize.*`.
 */
export class HistoryIndex {
  readonly calls = new Calls();
  readonly responses = new Responses();
  /** Calls and responses as they follow each other: a call as its row, a response as `~row`. */
  readonly order: number[] = [];
  /** Rows of the calls that touch files. */
  readonly fileCalls: number[] = [];
  /** Entries with inclusions. */
  readonly including: { readonly entry: number; readonly inclusions: readonly FileInclusion[] }[] = [];
  readonly #vocabulary: ToolVocabulary;
  readonly #entries: IContent[] = [];
  /** Lengths of `calls`, `responses`, `fileCalls` and `including` after each entry, four numbers for each. */
  readonly #ends: number[] = [];
  #workspaceRoot = '';
  #ids = new Numbering();
  #files = new Numbering();
  #tools = new Numbering();
  #filesOfCalls = new WeakMap<ToolCallBlock, CallFiles>();
  #inclusionsOf = new WeakMap<IContent, readonly FileInclusion[]>();

  constructor(vocabulary: ToolVocabulary) {
    this.#vocabulary = vocabulary;
  }

  get idCount(): number {
    return this.#ids.size;
  }

  get fileCount(): number {
    return this.#files.size;
  }

  get toolCount(): number {
    return this.#tools.size;
  }

  /** Makes it the index of `history`. Linear in what follows the first entry that is another one than last time. */
  update(history: readonly IContent[], workspaceRoot: string): void {
    const spare = this.#ids.size + this.#files.size - 2 * this.calls.entry.length;
    if (workspaceRoot !== this.#workspaceRoot || spare > SPARE_NUMBERS) this.#forget(workspaceRoot);
    let same = 0;
    while (same < this.#entries.length && this.#entries[same] === history[same]) same++;
    this.#cut(same);
    for (let entry = same; entry < history.length; entry++) this.#append(history[entry]!, entry);
  }

  #forget(workspaceRoot: string): void {
    this.#cut(0);
    this.#workspaceRoot = workspaceRoot;
    this.#ids = new Numbering();
    this.#files = new Numbering();
    this.#tools = new Numbering();
    this.#filesOfCalls = new WeakMap();
    this.#inclusionsOf = new WeakMap();
  }

  #cut(length: number): void {
    const [calls = 0, responses = 0, fileCalls = 0, including = 0] =
      length === 0 ? [] : this.#ends.slice(4 * length - 4);
    this.#entries.length = length;
    this.#ends.length = 4 * length;
    this.calls.cut(calls);
    this.responses.cut(responses);
    this.order.length = calls + responses;
    this.fileCalls.length = fileCalls;
    this.including.length = including;
  }

  #append(content: IContent, entry: number): void {
    const { calls, responses } = this;
    for (let block = 0; block < content.blocks.length; block++) {
      const item = content.blocks[block]!;
      if (item.type === 'tool_call') {
        const files = this.#filesOf(item);
        if (files !== NO_FILES) this.fileCalls.push(calls.entry.length);
        this.order.push(calls.entry.length);
        calls.entry.push(entry);
        calls.block.push(block);
        calls.id.push(this.#ids.of(item.id));
        calls.files.push(files);
      } else if (item.type === 'tool_response') {
        this.order.push(~responses.entry.length);
        responses.entry.push(entry);
        responses.block.push(block);
        responses.id.push(this.#ids.of(item.callId));
        responses.tool.push(this.#tools.of(item.toolName));
        responses.isFailure.push(isFailure(item));
        responses.isPruned.push(isPruned(item.result));
      }
    }
    const inclusions = content.speaker === 'human' ? this.#inclusionsIn(content) : NO_INCLUSIONS;
    if (inclusions.length > 0) this.including.push({ entry, inclusions });
    this.#entries.push(content);
    this.#ends.push(calls.entry.length, responses.entry.length, this.fileCalls.length, this.including.length);
  }

  #filesOf(call: ToolCallBlock): CallFiles {
    const known = this.#filesOfCalls.get(call);
    if (known) return known;
    const { reads, writes, isPureRead, isUnrecognized } = fileAccess(call, this.#vocabulary, this.#workspaceRoot);
    const touches = reads.length > 0 || writes.length > 0 || isUnrecognized;
    const number = (file: string): number => this.#files.of(file);
    const files = touches
      ? { reads: reads.map(number), writes: writes.map(number), isPureRead, isUnrecognized }
      : NO_FILES;
    this.#filesOfCalls.set(call, files);
    return files;
  }

  #inclusionsIn(content: IContent): readonly FileInclusion[] {
    const known = this.#inclusionsOf.get(content);
    if (known) return known;
    const inclusions = findInclusions(content).map((inclusion) => ({
      inclusion,
      file: resolvePath(this.#workspaceRoot, inclusion.path),
    }));
    this.#inclusionsOf.set(content, inclusions);
    return inclusions;
  }
}
