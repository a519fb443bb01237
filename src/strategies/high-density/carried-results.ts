import type { ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/file-access.ts';
import { type ToolVocabulary, toolDefinition, toolRole } from '../../content/vocabulary.ts';
import type { DensityRules } from '../contract.ts';
import type { HistoryDraft } from './draft.ts';
import { type HistoryIndex, NO_FILES } from './history-index.ts';
import type { Protection } from './protection.ts';
import { isPruned, PRUNED_RESULT } from './recency.ts';

/** No result goes before the model had it before its eyes so often. */
const LEAST_CALLS = 3;
/** A shorter result is hardly longer than the pointer. */
const LEAST_CHARS = 200;
/** Strategies count no tokens: an estimate will do for how long something is worth keeping. */
const CHARS_PER_TOKEN = 4;

interface CarriedOptions {
  readonly rules: DensityRules;
  readonly protection: Protection;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
}

/**
 * Replaces by the pointer results of shell commands and searches that were sent `resultCalls` times, and results of
 * reads that cost more than `carriedTokens` over the calls since anything touched their files: the larger, the sooner.
 * Returns how many were replaced. Linear in calls and responses.
 */
export function pruneCarriedResults(draft: HistoryDraft, index: HistoryIndex, options: CarriedOptions): number {
  const { calls } = index;
  const { resultCalls, carriedTokens } = options.rules;
  const ages = callsFrom(draft);
  const leastCalls = Math.max(LEAST_CALLS, resultCalls);
  /** By file: how many calls ago it was touched last. */
  const quiet = new Int32Array(index.fileCount).fill(-1);
  let pruned = 0;
  for (let call = calls.files.length - 1; call >= 0; call--) {
    const files = calls.files[call]!;
    const age = ages[calls.entry[call]!]!;
    const isSingle = typeof files === 'number';
    const touched = isSingle ? [files < 0 ? ~files : files] : [...files.reads, ...files.writes];
    for (const file of touched) if (quiet[file] === -1) quiet[file] = age;
    if (draft.isRemoved(calls.entry[call]!, calls.block[call]!)) continue;
    const isPureRead = isSingle ? files >= 0 : files !== NO_FILES && files.isPureRead;
    if ((isPureRead ? carriedTokens : resultCalls) === 0) continue;
    const longest = isPureRead ? Math.min(...touched.map((file) => quiet[file]!)) : age;
    if (longest <= (isPureRead ? LEAST_CALLS : leastCalls)) continue;
    const results = longResults(draft, index, call);
    if (results.length === 0) continue;
    const chars = results.reduce((sum, { text }) => sum + text.length, 0);
    const isDue = !isPureRead || (longest * chars) / CHARS_PER_TOKEN > carriedTokens;
    if (!isDue || !mayGo(draft.history[calls.entry[call]!]!.blocks[calls.block[call]!] as ToolCallBlock, options))
      continue;
    for (const { entry, block, item } of results) {
      draft.replaceBlock(entry, block, { ...item, result: PRUNED_RESULT });
      pruned++;
    }
  }
  return pruned;
}

/** For each entry the model calls from it to the end. */
function callsFrom({ history }: HistoryDraft): Int32Array {
  const ages = new Int32Array(history.length);
  let age = 0;
  for (let entry = history.length - 1; entry >= 0; entry--) {
    if (history[entry]!.speaker === 'ai') age++;
    ages[entry] = age;
  }
  return ages;
}

interface LongResult {
  readonly entry: number;
  readonly block: number;
  readonly item: ToolResponseBlock;
  readonly text: string;
}

/** The results of a call that are text, long enough, and still there. */
function longResults(draft: HistoryDraft, { responses, links }: HistoryIndex, call: number): LongResult[] {
  const results: LongResult[] = [];
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
    const [entry, block] = [responses.entry[at]!, responses.block[at]!];
    if (responses.tool[at] === -1 || draft.isRemoved(entry, block)) continue;
    const item = draft.blockAt(entry, block) as ToolResponseBlock;
    const text = item.result;
    if (typeof text === 'string' && text.length >= LEAST_CHARS && !isPruned(text))
      results.push({ entry, block, item, text });
  }
  return results;
}

/** Whether a call reads, runs a command or searches, as far as its vocabulary knows, and is not protected. */
function mayGo(call: ToolCallBlock, { protection, vocabulary, workspaceRoot }: CarriedOptions): boolean {
  const role = toolRole(toolDefinition(vocabulary, call.name), call.parameters);
  if (role !== 'read' && role !== 'shell' && role !== 'search') return false;
  if (protection.coversTool(call.name)) return false;
  if (!protection.coversFiles) return true;
  return !fileAccess(call, vocabulary, workspaceRoot).reads.some((file) => protection.coversFile(file));
}
