import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import { fileAccess } from '../../../content/files/file-access.ts';
import { resolvePath } from '../../../content/files/workspace-path.ts';
import { madeOnce } from '../../../content/group-by.ts';
import type { DebugLogger, StrategyOptions } from '../../contract.ts';
import type { CallPlace } from '../../reasons/call-place.ts';
import { type AttachedRead, attachedRead } from '../rules/attached-read.ts';
import {
  attachedFacts,
  type CallResponse,
  type FileCallReading,
  type ResponseFacts,
  responseFacts,
} from '../rules/file-call.ts';
import { type EntryWithInclusions, type FileInclusion, fileInclusions } from '../rules/repeated-inclusions.ts';
import { type CallFiles, callFiles, FileRows } from './call-files.ts';
import { FollowedEntries } from './followed-entries.ts';
import { type Calls, cutColumns, firstFrom, type Responses } from './history-columns.ts';
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
  readonly calls: Calls = { entry: [], block: [], id: [], files: [] };
  readonly responses: Responses = { entry: [], block: [], id: [], isFailure: [], isPruned: [], hasNotes: [] };
  /** Entries with results that are not the pointer already, each once. */
  readonly resultEntries: number[] = [];
  /** Entries to which files are attached. */
  readonly including: EntryWithInclusions[] = [];
  readonly #accessOf: FileAccessOf;
  readonly #logger: DebugLogger | undefined;
  /** As of the last `update`. */
  readonly #entries = new FollowedEntries();
  #reading: FileCallReading | undefined;
  /** The results of each call. */
  links = new ResponseLinks();
  /** Number of times that entries were removed: while it is the same, rows and numbers were only added. */
  cuts = 0;
  #ids = new Numbering();
  #files = new Numbering();
  readonly #fileRows = new FileRows();
  #inclusions = new WeakMap<IContent, readonly FileInclusion[]>();
  readonly #attached = new WeakMap<ContentBlock, AttachedRead>();

  constructor({ fileAccess: accessOf = fileAccess, logger }: StrategyOptions = {}) {
    this.#accessOf = accessOf;
    this.#logger = logger;
  }

  /** As of the last `update`. */
  get history(): readonly IContent[] {
    return this.#entries.list;
  }

  /** Numbers that files and ids have, also those of files and ids that are gone. */
  get fileCount(): number {
    return this.#files.size;
  }

  get idCount(): number {
    return this.#ids.size;
  }

  /** Makes it the index of `history`, read as `fileCalls` does. Linear in what follows the first entry that is another one than last time. */
  update(history: readonly IContent[], reading: FileCallReading): void {
    const spare = this.#ids.size + this.#files.size - 2 * this.calls.entry.length;
    const fields = Object.keys(reading) as (keyof FileCallReading)[];
    if (spare > SPARE_NUMBERS || fields.some((field) => reading[field] !== this.#reading?.[field])) this.#forget();
    this.#reading = reading;
    const same = this.#entries.sameIn(history);
    const moved = same < this.#entries.length ? this.#filesFrom(same) : undefined;
    if (moved !== undefined) this.#cut(same);
    this.#entries.follow(history, same);
    for (let entry = same; entry < history.length; entry++) this.#append(history[entry]!, entry, reading);
    // After the ids and not among them: two tables in turn stay in the processor's cache, both at once do not.
    for (let call = this.calls.files.length; call < this.calls.entry.length; call++) {
      this.calls.files.push(moved?.get(this.call(call)) ?? this.#filesOf(call, reading));
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

  /** The rows of the calls that read or write one of these files, by their numbers, the latest first. */
  rowsOfFiles(files: readonly number[]): number[] {
    return this.#fileRows.on(files, this.calls.files);
  }

  /** The response of a row. */
  response(row: number): CallResponse {
    const { entry, block, isFailure, isPruned, hasNotes } = this.responses;
    const found = this.#blockAt(this.responses, row);
    return {
      entry: entry[row]!,
      block: block[row]!,
      response: found.type === 'text' ? this.#attached.get(found)!.response : (found as ToolResponseBlock),
      isFailure: isFailure[row]!,
      isPruned: isPruned[row]!,
      hasNotes: hasNotes[row]!,
    };
  }

  #blockAt({ entry, block }: Calls | Responses, row: number): ContentBlock {
    return this.#entries.list[entry[row]!]!.blocks[block[row]!]!;
  }

  #forget(): void {
    this.#cut(0);
    this.links = new ResponseLinks();
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
    this.cuts++;
    const callsLeft = firstFrom(calls.entry, entry);
    const responsesLeft = firstFrom(responses.entry, entry);
    let call = calls.id.length - 1;
    let response = responses.id.length - 1;
    while (call >= callsLeft || response >= responsesLeft) {
      if (response < responsesLeft || (call >= callsLeft && this.#isAfter(call, response))) {
        this.links.dropCall(calls.id[call--]!);
      } else {
        response--;
        this.links.dropResponse();
      }
    }
    cutColumns(calls, callsLeft);
    this.#fileRows.cut(callsLeft);
    cutColumns(responses, responsesLeft);
    this.#entries.cut(entry);
    this.resultEntries.length = firstFrom(this.resultEntries, entry);
    while (this.including.length > 0 && this.including.at(-1)!.entry >= entry) this.including.pop();
  }

  #isAfter(call: number, response: number): boolean {
    const { calls, responses } = this;
    const distance = calls.entry[call]! - responses.entry[response]!;
    return distance === 0 ? calls.block[call]! > responses.block[response]! : distance > 0;
  }

  #append(
    content: IContent,
    entry: number,
    { vocabulary, includesAttachedReads, workspaceRoot }: FileCallReading,
  ): void {
    const isHuman = content.speaker === 'human';
    for (let block = 0; block < content.blocks.length; block++) {
      const item = content.blocks[block]!;
      if (item.type === 'tool_call') this.#addCall({ entry, block, callId: item.id });
      else if (item.type === 'tool_response') {
        const facts = responseFacts(item, vocabulary);
        this.#addResponse({ entry, block, callId: item.callId }, facts);
        if (!facts.isPruned && this.resultEntries.at(-1) !== entry) this.resultEntries.push(entry);
      } else if (includesAttachedReads && isHuman && item.type === 'text') {
        const read = attachedRead(content, block);
        if (read === undefined) continue;
        this.#attached.set(item, read);
        this.#addCall({ entry, block, callId: read.call.id });
        this.#addResponse({ entry, block, callId: read.call.id }, attachedFacts(read.response));
      }
    }
    if (!isHuman) return;
    const inclusions = madeOnce(this.#inclusions, content, () => fileInclusions(content, workspaceRoot));
    if (inclusions.length > 0) this.including.push({ entry, inclusions });
  }

  #addCall({ entry, block, callId }: CallPlace): void {
    const id = this.#ids.of(callId);
    this.calls.entry.push(entry);
    this.calls.block.push(block);
    this.calls.id.push(id);
    this.links.addCall(id);
  }

  #addResponse({ entry, block, callId }: CallPlace, { isFailure, isPruned, hasNotes }: ResponseFacts): void {
    const id = this.#ids.of(callId);
    this.responses.entry.push(entry);
    this.responses.block.push(block);
    this.responses.id.push(id);
    this.responses.isFailure.push(isFailure);
    this.responses.isPruned.push(isPruned);
    this.responses.hasNotes.push(hasNotes);
    this.links.addResponse(id);
  }

  #filesOf(row: number, { vocabulary, workspaceRoot, includesShellWrites }: FileCallReading): CallFiles {
    const call = this.call(row);
    const attached = this.#attached.get(this.#blockAt(this.calls, row));
    if (attached) return this.#files.of(resolvePath(workspaceRoot, attached.file));
    const access = this.#accessOf(call, vocabulary, workspaceRoot, { includesShellWrites });
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
