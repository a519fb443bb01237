import { counted } from '../../content/counted.ts';
import { RECOMMENDED } from '../../settings/recommended.ts';
import type { EphemeralSettings } from '../../settings/registry.ts';
import { type ComparedProfile, NO_PRUNING } from '../policy.ts';

/** A profile to choose from; the text says what is different from `recommended`. */
export interface TuneCandidate extends ComparedProfile {
  readonly differs: string;
}

const RESULT_CALLS = [2, 3, 6];
const CARRIED_TOKENS = [60_000, 120_000, 200_000, 400_000];

function variant(resultCalls: number, carriedTokens: number): TuneCandidate {
  const settings: EphemeralSettings = {
    ...RECOMMENDED,
    'compression.density.resultCalls': resultCalls,
    'compression.density.carriedTokens': carriedTokens,
  };
  const isNeither = resultCalls === 0 && carriedTokens === 0;
  return {
    name: isNeither ? 'stale and repeated text only' : `results ${resultCalls}, reads ${carriedTokens / 1000}k`,
    differs: isNeither
      ? 'old results and unused reads are kept, only stale and repeated text is removed'
      : `results of commands are kept for ${counted(resultCalls, 'call')}, unused reads for ${carriedTokens / 1000}k tokens sent`,
    settings,
  };
}

const isBase = ({ settings }: ComparedProfile): boolean =>
  Object.entries(settings).every(([key, value]) => RECOMMENDED[key as keyof EphemeralSettings] === value);

/** `recommended` with a prompt cache that is kept warm. It changes no text, so no profile is chosen by it. */
export const KEPT_WARM: ComparedProfile = { name: 'kept warm', settings: RECOMMENDED, keepsWarm: true };

/** What a profile is chosen from: `recommended`, bolder and more careful ones. The first, no pruning, is what they are compared with. */
export const TUNE_CANDIDATES: readonly TuneCandidate[] = [
  { ...NO_PRUNING, differs: 'nothing is removed' },
  { name: 'recommended', settings: RECOMMENDED, differs: 'nothing' },
  variant(0, 0),
  ...RESULT_CALLS.flatMap((calls) => CARRIED_TOKENS.map((tokens) => variant(calls, tokens))).filter(
    (candidate) => !isBase(candidate),
  ),
];
