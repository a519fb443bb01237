import { counted } from '../../../content/counted.ts';
import { isPruned, PRUNED_RESULT } from '../../../content/pruned-result.ts';
import { callRole } from '../../../content/tools/call-role.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { CallPlace } from '../../reasons/call-place.ts';
import { andList } from '../../reasons/reason-row.ts';
import type { DensityRow, RowFields } from '../../settings/density-row.ts';
import { isAttached, resultOf, withoutLines } from './attached-read.ts';
import { type FileCall, placeOfCall } from './file-call.ts';
import type { Draft, PruningRule, RuleContext, RulesInForce } from './rule.ts';
import { shownOfNamedFiles } from './shows-named-files.ts';

const SETTINGS = [
  {
    key: 'compression.density.resultCalls',
    flag: '--result-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Replace the result of a shell command or a search by a marker after it was sent this many times; 0: never.',
  },
  {
    key: 'compression.density.carriedTokens',
    flag: '--carried-tokens <tokens>',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Replace a read by a marker once its tokens, times the model calls since its file was last used, are more than this; 0: never.',
  },
  {
    key: 'compression.density.coldCarriedTokens',
    flag: '--cold-carried-tokens <tokens>',
    type: 'number',
    unit: 'tokens',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'The same limit as `carriedTokens` when the prompt cache has expired and a change is free (`when-it-pays`), for files that were not used for 60 model calls; 0: never.',
  },
  {
    key: 'compression.density.workingSetCalls',
    flag: '--working-set-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Reads at most this many model calls apart are a working set; a use of one of its files counts as a use of all; 0: no sets.',
  },
] as const satisfies readonly DensityRow[];

export type CarriedSettings = RowFields<(typeof SETTINGS)[number]>;

/**
 * The result of `call` was sent with at least `leastSentCalls` model calls, the number of the rule. `files`: the files
 * that it reads; only model calls since the last use of them are counted. Empty for a command or a search.
 */
export interface CarriedResult {
  readonly rule: 'carriedResult';
  readonly call: CallPlace;
  readonly files: readonly string[];
  readonly leastSentCalls: number;
}

export const carriedResults = {
  settings: SETTINGS,
  reasons: {
    carriedResult: {
      counter: 'recency',
      certificate: 'recency',
      sentence({ files, leastSentCalls: calls }, { file }) {
        const since = files.length === 0 ? '' : ` since the last call that touched ${andList(files.map(file))}`;
        return `it was sent with at least ${counted(calls, 'model call')}${since}`;
      },
    },
  },
  isOn: ({ rules, isCold }) => rules.resultCalls > 0 || carriesReads(rules, isCold),
  prune: replaceCarriedResults,
} as const satisfies PruningRule<CarriedResult, typeof SETTINGS>;

/** Every result is sent with at least this many model calls. */
export const MIN_SENT_CALLS = 3;
/**
 * A file that was not used for so many model calls is left on a cold cache. Source: bench/fidelity/README.md; with 20, files
 * that are read together and edited one by one are needed again.
 */
const COLD_CALLS = 60;
/**
 * What prints lines of named files is kept for so many calls, because edits may need them: runs of lines as long as a read
 * of so many files, matches while their tokens, summed over the calls, are fewer than these. Source: bench/fidelity/README.md.
 */
const NAMED_FILES_CALLS = 12;
const NAMED_FILES_TOKENS = 10_000;
/** A shorter result is hardly longer than the marker. */
const MIN_CHARS = 200;
/** An estimate, because strategies count no tokens. */
const CHARS_PER_TOKEN = 4;

/**
 * Replaces by the marker results of shell commands and searches that were sent `resultCalls` times, and results that show
 * files and cost more than `carriedTokens` per file over the model calls since the last use of their working set: the
 * larger, the sooner. Linear in calls.
 */
function replaceCarriedResults(
  draft: Draft<CarriedResult>,
  { inForce, vocabulary, calls }: RuleContext<CarriedSettings>,
): void {
  /** Answers of the model up to each entry, itself included. */
  const turnOf: number[] = [];
  for (const { speaker } of draft.history) turnOf.push((turnOf.at(-1) ?? 0) + (speaker === 'ai' ? 1 : 0));
  const touchedIn = new Map<string, number>();
  for (const { entry, reads, writes } of calls) {
    for (const file of [...reads, ...writes]) touchedIn.set(file, turnOf[entry]!);
  }
  const usedIn = new Map<FileCall, number>();
  const reads = calls.filter((call) => showsFiles(call) && !draft.isRemoved(call.entry, call.block));
  for (const set of workingSets(reads, turnOf, inForce.rules)) {
    const used = latest(set.flatMap(({ reads }) => reads.map((file) => touchedIn.get(file)!)));
    for (const read of set) usedIn.set(read, used);
  }
  for (const call of calls) {
    if (!mayExpire(call, inForce, vocabulary)) continue;
    replaceExpired(draft, call, { inForce, sentCalls: turnOf.at(-1)! - (usedIn.get(call) ?? turnOf[call.entry]!) });
  }
}

/**
 * Reads in runs: each is at most `workingSetCalls` model calls after the one before it, because an agent reads together
 * what it changes one by one. Removed reads are in no set, because they are not known when the history without them is pruned again.
 */
function workingSets(reads: readonly FileCall[], turnOf: readonly number[], settings: CarriedSettings): FileCall[][] {
  const sets: FileCall[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const read of reads) {
    const turn = turnOf[read.entry]!;
    if (areTogether(turn, last, settings)) sets.at(-1)!.push(read);
    else sets.push([read]);
    last = turn;
  }
  return sets;
}

/** True if two reads with none between them belong to one working set. Both are counted in model calls. */
export const areTogether = (turn: number, other: number, { workingSetCalls }: CarriedSettings): boolean =>
  workingSetCalls > 0 && Math.abs(turn - other) <= workingSetCalls;

/** The largest of these model calls. */
export const latest = (turns: readonly number[]): number => turns.reduce((one, other) => Math.max(one, other), 0);

/** True if the results of a call show files that are known, perhaps beside other things. */
const showsFiles = ({ readKeys }: FileCall): boolean => readKeys.length > 0;

/** True if the results of a call may expire: those of a known reading or searching tool that is not protected. */
export function mayExpire(
  call: FileCall,
  { rules, isCold, protection }: RulesInForce<CarriedSettings>,
  vocabulary: ToolVocabulary,
): boolean {
  if (!(showsFiles(call) ? carriesReads(rules, isCold) : rules.resultCalls > 0)) return false;
  const role = isAttached(call.call) ? 'read' : callRole(vocabulary, call.call);
  return (role === 'read' || role === 'shell' || role === 'search') && !protection.coversCall(call);
}

/** True if reads are replaced once they cost too much. */
const carriesReads = ({ carriedTokens, coldCarriedTokens }: CarriedSettings, isCold: boolean): boolean =>
  carriedTokens > 0 || (isCold && coldCarriedTokens > 0);

/** The number of model calls with results of this many characters before they are replaced. Each file has its own budget. */
export function leastSentCalls(
  call: FileCall,
  { rules, isCold }: RulesInForce<CarriedSettings>,
  chars: number,
): number {
  const callsFor = (tokens: number, least: number, parts: number): number => {
    if (tokens === 0) return Number.POSITIVE_INFINITY;
    return Math.max(least, Math.floor((tokens * CHARS_PER_TOKEN * parts) / chars));
  };
  const readCalls = (warmTokens: number, least: number, parts: number): number => {
    const warm = callsFor(warmTokens, least, parts);
    return isCold ? Math.min(warm, callsFor(rules.coldCarriedTokens, COLD_CALLS, parts)) : warm;
  };
  if (showsFiles(call)) return readCalls(rules.carriedTokens, MIN_SENT_CALLS, call.readKeys.length);
  const { runs, matches } = shownOfNamedFiles(call.call);
  const least = Math.max(NAMED_FILES_CALLS, rules.resultCalls);
  if (runs > 0) return readCalls(rules.carriedTokens || NAMED_FILES_TOKENS, least, runs);
  return matches ? callsFor(NAMED_FILES_TOKENS, least, 1) : Math.max(MIN_SENT_CALLS, rules.resultCalls);
}

/**
 * Replaces the long results of a call in the draft if they were sent often enough. Returns that number of model calls:
 * infinite if no such result is left.
 */
export function replaceExpired(
  draft: Draft<CarriedResult>,
  call: FileCall,
  { inForce, sentCalls }: { inForce: RulesInForce<CarriedSettings>; sentCalls: number },
): number {
  let chars = 0;
  for (const { entry, block } of call.responses) {
    const result = resultAt(draft, entry, block);
    if (isLong(result)) chars += result.length;
  }
  const leastSent = chars === 0 ? Number.POSITIVE_INFINITY : leastSentCalls(call, inForce, chars);
  if (sentCalls < leastSent) return leastSent;
  const reason = {
    rule: 'carriedResult',
    call: placeOfCall(call),
    files: call.reads,
    leastSentCalls: leastSent,
  } as const;
  for (const { entry, block, response } of call.responses) {
    if (!isLong(resultAt(draft, entry, block))) continue;
    const content = draft.history[entry]!;
    const by = isAttached(call.call) ? withoutLines(content, block) : { ...response, result: PRUNED_RESULT };
    if (by) draft.replaceBlock(entry, block, { by, reason });
  }
  return leastSent;
}

/** The present result of a response; `undefined` once it is removed. */
function resultAt(draft: Draft<CarriedResult>, entry: number, block: number): unknown {
  const left = draft.blockAt(entry, block);
  if (left?.type === 'text') return resultOf(draft.history[entry]!, left);
  return left?.type === 'tool_response' ? left.result : undefined;
}

export function isLong(result: unknown): result is string {
  return typeof result === 'string' && result.length >= MIN_CHARS && !isPruned(result);
}
