import { EventEmitter } from 'node:events';
import type { IContent, ToolCallBlock } from '../content/content.ts';
import { curate } from './curate.ts';
import type { EntryLog, HistoryMark } from './entry-log.ts';
import type { HistoryEvents } from './events.ts';
import { providerView } from './provider-view.ts';
import { historyToJson } from './serialization.ts';
import { newestWithin } from './token-window.ts';
import { createTurnKey, historyToolId, type IdGenerator, idGenerator } from './tool-call-ids.ts';
import { unansweredByEntry } from './unanswered.ts';

/** The reading half of `HistoryService`: what stands in the history, in the shapes its readers need. */
export abstract class ReadableHistory extends EventEmitter<HistoryEvents> {
  protected readonly log: EntryLog;

  protected constructor(log: EntryLog) {
    super();
    this.log = log;
  }

  /** All entries, in a new array. */
  getAll(): IContent[] {
    return [...this.log.entries];
  }

  /** The same as `getAll`. */
  getComprehensive(): IContent[] {
    return this.getAll();
  }

  /** A live, read-only view of the backing array: the same array for the history's whole life (REQ-HD-003.5). */
  getRawHistory(): readonly IContent[] {
    return this.log.entries;
  }

  /** All human and tool entries, and the ai entries that say something, in a new array. Never waits. */
  getCurated(): IContent[] {
    return curate(this.log.entries);
  }

  /** A deep copy of the curated history and then `tail`, mended so that every provider accepts it. */
  getCuratedForProvider(tail: readonly IContent[] = []): IContent[] {
    return providerView(curate([...this.log.entries, ...tail]));
  }

  /** The newest `count` entries, in order. */
  getRecent(count: number): IContent[] {
    return count > 0 ? this.log.entries.slice(-count) : [];
  }

  getLastUserContent(): IContent | null {
    return this.log.entries.findLast((entry) => entry.speaker === 'human') ?? null;
  }

  getLastAIContent(): IContent | null {
    return this.log.entries.findLast((entry) => entry.speaker === 'ai') ?? null;
  }

  length(): number {
    return this.log.entries.length;
  }

  isEmpty(): boolean {
    return this.log.entries.length === 0;
  }

  /** The calls that no response answers, in order; those of a turn that is still running are among them. */
  findUnmatchedToolCalls(): ToolCallBlock[] {
    return [...unansweredByEntry(this.log.entries).values()].flat();
  }

  /** The newest entries whose counts by `countTokensFn` are at most `maxTokens` together; it splits no pair. */
  getWithinTokenLimit(maxTokens: number, countTokensFn: (content: IContent) => number): IContent[] {
    return newestWithin(this.log.entries, maxTokens, countTokensFn);
  }

  /** The entries as a JSON list, which `HistoryService.fromJSON` reads. */
  toJSON(): string {
    return historyToJson(this.log.entries);
  }

  /** This moment of the history; whoever computes edits elsewhere hands it to `applyDensityResult` with them. */
  mark(): HistoryMark {
    return this.log.mark();
  }

  /** Whether the entries before `mark` still stand where they stood: since then entries were only added. */
  hasOnlyGrownSince(mark: HistoryMark): boolean {
    return this.log.hasOnlyGrownSince(mark);
  }

  /** A key that no other turn has: `turn_<uuid>`. */
  generateTurnKey(): string {
    return createTurnKey();
  }

  /** The canonical id of a tool call, `hist_tool_<hash>`: the same for equal input. */
  generateHistoryId(
    turnKey: string,
    callIndex: number,
    providerName?: string,
    rawId?: string,
    toolName?: string,
  ): string {
    return historyToolId({ turnKey, callIndex, providerName, rawId, toolName });
  }

  /** Makes the ids of the calls of one turn, in the order asked for; without `turnKey` of a turn of its own. */
  getIdGeneratorCallback(turnKey: string = createTurnKey()): IdGenerator {
    return idGenerator(turnKey);
  }
}
