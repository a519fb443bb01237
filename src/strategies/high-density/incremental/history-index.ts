import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import { fileAccess } from '../../../content/files/file-access.ts';
import { resolvePath } from '../../../content/files/workspace-path.ts';
import { llxprt } from '../../../content/vocabularies/llxprt.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { DebugLogger, StrategyOptions } from '../../contract.ts';
import { type AttachedRead, attachedRead } from '../rules/attached-read.ts';
import { attachedFacts, responseFacts } from '../rules/file-call.ts';
import { type EntryWithInclusions, type FileInclusion, fileInclusions } from '../rules/repeated-inclusions.ts';
import { type CallFiles, callFiles, FileRows } from './call-files.ts';
import { FollowedEntries } from './followed-entries.ts';
import { Calls, firstFrom, Responses } from './history-columns.ts';
import { Numbering } from './numbering.ts';
import { ResponseLinks } from './response-links.ts';

/** Most numbers of texts that are in no history any more; beyond that, all texts are numbered again. */
const SPARE_NUMBERS = 50_000;

/**
 * The facts that pruning needs of a history, kept between runs: an entry whose place and identity are the same
 * is not read again, because entries are immutable. So a run costs O(changes) and a pass over flat columns;
 * objects all over the heap are not touched. Source: bench `optimize.*`.
 */
export class HistoryIndex {
  readonly calls = new Calls();
  readonly responses = new Responses();
  /** Entries with results that are not the pointer already, each once. */
  readonly resultEntries: number[] = [];
  /** Entries to which files are attached. */
  readonly including: EntryWithInclusions[] = [];
  readonly #accessOf: FileAccessOf;
  readonly #logger: DebugLogger | undefined;
  /** As of the last `update`. */
  readonly #entries = new FollowedEntries();
  #links = new ResponseLinks();
  #vocabulary: ToolVocabulary = llxprt;
  #workspaceRoot = '';
  #includesShellWrites = false;
  #includesAttachedReads = false;
  #cuts = 0;
  #ids = new Numbering();
  #files = new Numbering();
  readonly #fileRows = new FileRows();
  #inclusions = new WeakMap<IContent, readonly FileInclusion[]>();
  readonly #attached = new WeakMap<ContentBlock, AttachedRead>();

  constructor({ fileAccess: accessOf = fileAccess, logger }: StrategyOptions = {}) {
    this.#accessOf = accessOf;
    this.#logger = logger;
  }

  /** The results of each call. */
  get links(): ResponseLinks {
    return this.#links;
  }

  /** As of the last `update`. */
  get history(): readonly IContent[] {
    return this.#entries.list;
  }

  get idCount(): number {
    return this.#ids.size;
  }

  get fileCount(): number {
    return this.#files.size;
  }

  /** Number of times that entries were removed: while it is the same, rows and numbers were only added. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Makes it the index of `history`, read as `fileCalls` does. Linear in what follows the first entry that is another one than last time. */
  update(
    history: readonly IContent[],
    workspaceRoot: string,
    {
      includesShellWrites = false,
      includesAttachedReads = false,
      vocabulary = llxprt,
    }: { includesShellWrites?: boolean; includesAttachedReads?: boolean; vocabulary?: ToolVocabulary } = {},
  ): void {
    const spare = this.#ids.size + this.#files.size - 2 * this.calls.entry.length;
    const isOtherReading =
      workspaceRoot !== this.#workspaceRoot ||
      includesShellWrites !== this.#includesShellWrites ||
      includesAttachedReads !== this.#includesAttachedReads ||
      vocabulary !== this.#vocabulary;
    if (isOtherReading || spare > SPARE_NUMBERS) this.#forget(workspaceRoot);
    this.#includesShellWrites = includesShellWrites;
    this.#includesAttachedReads = includesAttachedReads;
    this.#vocabulary = vocabulary;
    const same = this.#entries.sameIn(history);
    const moved = same < this.#entries.length ? this.#filesFrom(same) : undefined;
    if (moved !== undefined) this.#cut(same);
    this.#entries.follow(history, same);
    for (let entry = same; entry < history.length; entry++) this.#append(history[entry]!, entry);
    // After the ids and not among them: two tables in turn stay in the processor's cache, both at once do not.
    for (let call = this.calls.files.length; call < this.calls.entry.length; call++) {
      this.calls.files.push(moved?.get(this.call(call)) ?? this.#filesOf(call));
    }
  }

  /** The call of a row. */
  call(row: number): ToolCallBlock {
    const found = this.#blockAt(this.calls, row);
    return found.type === 'text' ? this.#attached.get(found)!.call : (found as ToolCallBlock);
  }

  /** The absolute path of a file by its number. */
  file(number: number): string {
    return this.#files.textOf(number);
  }

  /** The rows of the calls that read or write one of these files, the latest first. */
  rowsOn(paths: readonly string[]): number[] {
    return this.rowsOfFiles(paths.map((path) => this.#files.of(path)));
  }

  /** The same for files by their numbers. */
  rowsOfFiles(files: readonly number[]): number[] {
    return this.#fileRows.on(files, this.calls.files);
  }

  /** The response of a row. */
  response(row: number): ToolResponseBlock {
    const found = this.#blockAt(this.responses, row);
    return found.type === 'text' ? this.#attached.get(found)!.response : (found as ToolResponseBlock);
  }

  #blockAt({ entry, block }: Calls | Responses, row: number): ContentBlock {
    return this.#entries.list[entry[row]!]!.blocks[block[row]!]!;
  }

  #forget(workspaceRoot: string): void {
    this.#cut(0);
    this.#links = new ResponseLinks();
    this.#workspaceRoot = workspaceRoot;
    this.#ids = new Numbering();
    this.#files = new Numbering();
    this.#inclusions = new WeakMap();
  }

  /** The files of calls from an entry on, which may only have moved. */
  #filesFrom(entry: number): ReadonlyMap<ToolCallBlock, CallFiles> {
    const { calls } = this;
    const files = new Map<ToolCallBlock, CallFiles>();
    for (let call = firstFrom(calls.entry, entry); call < calls.entry.length; call++) {
      files.set(this.call(call), calls.files[call]!);
    }
    return files;
  }

  #cut(entry: number): void {
    const { calls, responses } = this;
    this.#cuts++;
    const [callsLeft, responsesLeft] = [firstFrom(calls.entry, entry), firstFrom(responses.entry, entry)];
    let [call, response] = [calls.id.length - 1, responses.id.length - 1];
    while (call >= callsLeft || response >= responsesLeft) {
      if (response < responsesLeft || (call >= callsLeft && this.#isAfter(call, response))) {
        this.#links.dropCall(calls.id[call--]!);
      } else this.#links.dropResponse(responses.id[response--]!);
    }
    calls.cut(callsLeft);
    this.#fileRows.cut(callsLeft);
    responses.cut(responsesLeft);
    this.#entries.cut(entry);
    this.resultEntries.length = firstFrom(this.resultEntries, entry);
    while (this.including.length > 0 && this.including.at(-1)!.entry >= entry) this.including.pop();
  }

  #isAfter(call: number, response: number): boolean {
    const { calls, responses } = this;
    const distance = calls.entry[call]! - responses.entry[response]!;
    return distance === 0 ? calls.block[call]! > responses.block[response]! : distance > 0;
  }

  #append(content: IContent, entry: number): void {
    const { calls, responses } = this;
    for (let block = 0; block < content.blocks.length; block++) {
      const item = content.blocks[block]!;
      if (item.type === 'tool_call') {
        calls.entry.push(entry);
        calls.block.push(block);
        const id = this.#ids.of(item.id);
        calls.id.push(id);
        this.#links.addCall(id);
      } else if (item.type === 'tool_response') {
        responses.entry.push(entry);
        responses.block.push(block);
        const id = this.#ids.of(item.callId);
        responses.id.push(id);
        this.#links.addResponse(id);
        const facts = responseFacts(item, this.#vocabulary);
        responses.addFacts(facts);
        if (!facts.isPruned && this.resultEntries.at(-1) !== entry) this.resultEntries.push(entry);
      } else if (this.#includesAttachedReads && item.type === 'text' && content.speaker === 'human')
        this.#appendAttached(content, entry, block);
    }
    if (content.speaker === 'human') this.#addInclusions(content, entry);
  }

  /** A call and its result, both at the same block. */
  #appendAttached(content: IContent, entry: number, block: number): void {
    const read = attachedRead(content, block);
    if (read === undefined) return;
    const { calls, responses } = this;
    this.#attached.set(content.blocks[block]!, read);
    const id = this.#ids.of(read.call.id);
    for (const column of [calls, responses]) {
      column.entry.push(entry);
      column.block.push(block);
      column.id.push(id);
    }
    this.#links.addCall(id);
    this.#links.addResponse(id);
    responses.addFacts(attachedFacts(read.response));
  }

  #addInclusions(content: IContent, entry: number): void {
    let inclusions = this.#inclusions.get(content);
    if (inclusions === undefined) {
      inclusions = fileInclusions(content, this.#workspaceRoot);
      this.#inclusions.set(content, inclusions);
    }
    if (inclusions.length > 0) this.including.push({ entry, inclusions });
  }

  #filesOf(row: number): CallFiles {
    const call = this.call(row);
    const attached = this.#attached.get(this.#blockAt(this.calls, row));
    if (attached) return this.#files.of(resolvePath(this.#workspaceRoot, attached.file));
    const access = this.#accessOf(call, this.#vocabulary, this.#workspaceRoot, {
      includesShellWrites: this.#includesShellWrites,
    });
    if (access.isUnrecognized) {
      this.#logger?.debug('No file recognised in the parameters of a tool call, so pruning skips it', {
        tool: call.name,
        callId: call.id,
        entry: this.calls.entry[row]!,
      });
    }
    return callFiles(access, this.#files);
  }
}
