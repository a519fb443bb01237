import { pairSafeIndex } from '../content/calls/boundary.ts';
import type { IContent, ToolResponseBlock } from '../content/content.ts';
import type { HistoryServiceOptions } from './options.ts';
import { ReadableHistory } from './readable-history.ts';
import { historyFromJson } from './views/serialization.ts';
import { createTurnKey, historyToolId, type IdGenerator, idGenerator } from './views/tool-call-ids.ts';

/**
 * A history with the other names of the class that it replaces. Each of them is made of what `History` has.
 * Source: docs/library.md; docs/readings.md, row 27.
 */
export class HistoryService extends ReadableHistory {
  /**
   * A history with the entries that `toJSON` wrote.
   * @throws CompressionStrategyError `HISTORY_INVALID` when `json` is no list of entries.
   */
  static fromJSON(json: string, options: HistoryServiceOptions = {}): HistoryService {
    const history = new HistoryService(options);
    history.addAll(historyFromJson(json));
    return history;
  }

  /** Adds the entries of another history. */
  merge(other: HistoryService): void {
    this.addAll(other.getRawHistory());
  }

  /** Adds the entries of one turn: the user's input, the model's answer, the tool calls and results. */
  recordTurn(userInput: IContent, aiResponse: IContent, toolInteractions: readonly IContent[] = []): void {
    this.addAll([userInput, aiResponse, ...toolInteractions]);
  }

  /** Answers every unanswered call as cancelled, in a synthetic tool entry right after the entry that made it. */
  validateAndFix(): void {
    this.editor.validateAndFix();
  }

  /** Removes the newest entry and returns it; while compressing, the newest queued one, if the last operation was an add. */
  pop(): IContent | undefined {
    return this.editor.removeLast(() => true);
  }

  /** Removes the newest entry when it is this very object, and says whether it was. */
  removeLastIfMatches(content: IContent): boolean {
    return this.editor.removeLast((last) => last === content) !== undefined;
  }

  /**
   * Replaces one result by one of the same call and tool; `false` when there is no such result at that place. When
   * counting fails the history stays and it throws.
   */
  replaceToolResponseBlock(
    entryIndex: number,
    blockIndex: number,
    block: ToolResponseBlock,
    modelName?: string,
  ): Promise<boolean> {
    return this.editor.replaceToolResponseBlock({ entryIndex, blockIndex }, block, modelName);
  }

  /**
   * Replaces all but the newest `keepRecentCount` entries by the entry that `summarizeFn` returns for them; more are
   * kept where a pair would be split. When it throws, the history stays.
   * @throws CompressionStrategyError `HISTORY_CHANGED` when the entries summarised were changed meanwhile.
   */
  async summarizeOldHistory(
    keepRecentCount: number,
    summarizeFn: (contents: IContent[]) => Promise<IContent>,
  ): Promise<void> {
    const entries = this.getRawHistory();
    const version = this.gateAccess.versions.version();
    const cut = pairSafeIndex(entries, entries.length - Math.max(0, keepRecentCount), { direction: 'earlier' });
    if (cut > 0) await this.editor.replaceOldest(cut, await summarizeFn(entries.slice(0, cut)), version);
  }

  /** Sets the offset to whole tokens, at least 0; emits `tokensUpdated` when it changes. */
  setBaseTokenOffset(tokens: number): void {
    this.parts.ledger.baseOffset = tokens;
  }

  /**
   * Anchors the total at what a provider reported, once the token work queued so far is done. Ignored unless finite;
   * dropped when the history is cleared or its accounting reset before that.
   */
  syncTotalTokens(actualTotal: number): void {
    this.parts.ledger.sync(actualTotal);
  }

  /** Sets the offset to 0 and drops queued syncs. */
  resetTokenAccounting(): void {
    this.parts.ledger.reset();
  }

  /** Counts every entry again, kept counts ignored, for `modelName` where given (docs/readings.md, row 28; REQ-HD-003.6). */
  recalculateTotalTokens(modelName?: string): Promise<void> {
    return this.parts.ledger.recalculate(modelName);
  }

  /** The same as `recalculateTotalTokens`. */
  recalculateTokens(modelName?: string): Promise<void> {
    return this.recalculateTotalTokens(modelName);
  }

  /** Whether a compression is running: adds and clears are queued until it ends. */
  get isCompressing(): boolean {
    return this.parts.window.isOpen;
  }

  /** Resolves at once. */
  async waitForPendingOperations(): Promise<void> {}

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

  /** Makes the ids of the calls of one turn, in order; without `turnKey` of a new turn. */
  getIdGeneratorCallback(turnKey: string = createTurnKey()): IdGenerator {
    return idGenerator(turnKey);
  }
}
