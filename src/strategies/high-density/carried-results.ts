import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { type ToolVocabulary, toolDefinition, toolRole } from '../../content/vocabulary.ts';
import { type CallFiles, filesRead, filesTouched, isPureRead } from './call-files.ts';
import type { HistoryDraft } from './draft.ts';
import type { HistoryIndex } from './history-index.ts';
import { isPruned, PRUNED_RESULT } from './recency.ts';
import type { RulesInForce } from './rules-in-force.ts';

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
  readonly #inForce: RulesInForce;
  readonly #vocabulary: ToolVocabulary;
  readonly #candidates = new Set<number>();
  /** By call, and by file for the last that touches it: how many answers of the model there were with its own. */
  readonly #turnOf: number[] = [];
  readonly #touchedIn = new Map<number, number>();
  /** What was taken in. */
  #entries = 0;
  #turns = 0;
  #responses = 0;

  constructor(inForce: RulesInForce, vocabulary: ToolVocabulary) {
    this.#inForce = inForce;
    this.#vocabulary = vocabulary;
  }

  /**
   * Replaces by the pointer results of shell commands and searches that were sent `resultCalls` times, and results of
   * reads that cost more than `carriedTokens` over the calls since anything touched their files: the larger, the sooner.
   * Returns how many were replaced. Linear in what is new in `index` and in calls with long results.
   */
  prune(draft: HistoryDraft, index: HistoryIndex): number {
    this.#takeIn(draft.history, index);
    const { files } = index.calls;
    const { resultCalls, carriedTokens } = this.#inForce.rules;
    let pruned = 0;
    for (const call of this.#candidates) {
      const isRead = isPureRead(files[call]!);
      const sentCount = this.#turns - (isRead ? this.#lastTouch(files[call]!) : this.#turnOf[call]!);
      if (sentCount < LEAST_CALLS || (!isRead && sentCount < resultCalls)) continue;
      const results = longResults(draft, index, call);
      const chars = results.reduce((sum, result) => sum + result.chars, 0);
      if (isRead && ((sentCount + 1) * chars) / CHARS_PER_TOKEN <= carriedTokens) continue;
      for (const { entry, block, item } of results) {
        draft.replaceBlock(entry, block, { ...item, result: PRUNED_RESULT });
        pruned++;
      }
    }
    return pruned;
  }

  #takeIn(history: readonly IContent[], { calls, responses, links }: HistoryIndex): void {
    const { rules, protection } = this.#inForce;
    for (; this.#entries < history.length; this.#entries++) {
      if (history[this.#entries]!.speaker === 'ai') this.#turns++;
      for (let call = this.#turnOf.length; calls.entry[call] === this.#entries; call++) {
        this.#turnOf.push(this.#turns);
        for (const file of filesTouched(calls.files[call]!)) this.#touchedIn.set(file, this.#turns);
      }
    }
    for (let at = this.#responses; at < responses.entry.length; at++) {
      const call = links.owner[at]!;
      if (call === -1 || responses.tool[at] === -1 || this.#candidates.has(call)) continue;
      const { result } = history[responses.entry[at]!]!.blocks[responses.block[at]!] as ToolResponseBlock;
      if (!isLong(result)) continue;
      const isRead = isPureRead(calls.files[call]!);
      if ((isRead ? rules.carriedTokens : rules.resultCalls) === 0) continue;
      const block = history[calls.entry[call]!]!.blocks[calls.block[call]!] as ToolCallBlock;
      if (this.#looksUp(block) && !protection.coversCall(block, this.#vocabulary)) this.#candidates.add(call);
    }
    this.#responses = responses.entry.length;
  }

  #lastTouch(files: CallFiles): number {
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
