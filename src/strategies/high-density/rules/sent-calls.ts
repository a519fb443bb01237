import { isPruned } from '../../../content/pruned-result.ts';
import { callRole } from '../../../content/tools/call-role.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { isAttached } from './attached-read.ts';
import type { FileCall } from './file-call.ts';
import type { RulesInForce } from './rule.ts';
import { shownOfNamedFiles } from './shows-named-files.ts';

export interface CarriedSettings {
  readonly resultCalls: number;
  readonly carriedTokens: number;
  readonly coldCarriedTokens: number;
  readonly workingSetCalls: number;
}

/** Every result is sent with at least this many model calls. */
const MIN_SENT_CALLS = 3;
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
export const carriesReads = ({ carriedTokens, coldCarriedTokens }: CarriedSettings, isCold: boolean): boolean =>
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

export function isLong(result: unknown): result is string {
  return typeof result === 'string' && result.length >= MIN_CHARS && !isPruned(result);
}
