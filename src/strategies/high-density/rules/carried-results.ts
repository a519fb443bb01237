import { counted } from '../../../content/counted.ts';
import { andList } from '../../reasons/reason-row.ts';
import type { DensityRow } from '../../settings/density-row.ts';
import { type CarriedResult, ExpiringResults } from './expiring-results.ts';
import type { Draft, PruningRule, RuleContext } from './rule.ts';
import { type CarriedSettings, carriesReads } from './sent-calls.ts';

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

/**
 * Replaces by the marker results of shell commands and searches that were sent `resultCalls` times, and results that show
 * files and cost more than `carriedTokens` per file over the model calls since the last use of their working set: the
 * larger, the sooner. Linear in calls.
 */
function replaceCarriedResults(
  draft: Draft<CarriedResult>,
  { inForce, vocabulary, calls }: RuleContext<CarriedSettings>,
): void {
  const results = new ExpiringResults(inForce, vocabulary);
  const answered = calls.keys();
  results.add({ history: draft.history, count: calls.length, answered, at: (call) => calls[call]! });
  results.prune(draft);
}
