import type { CallPlace, LineRange } from '../../reasons/call-place.ts';
import { andList } from '../../reasons/reason-row.ts';
import type { DensityRow } from '../../settings/density-row.ts';
import type { PruningRule } from '../rules/rule.ts';

const SETTINGS = [
  {
    key: 'compression.density.repeatedLines',
    flag: '--repeated-lines <lines>',
    type: 'number',
    unit: 'lines',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'In new results, replace lines that an earlier call showed or wrote word for word by a marker: runs of at least this many lines and 300 characters, and fewer lines with 3,000 characters; 0: never.',
  },
] as const satisfies readonly DensityRow[];

/** `lines` of the result of `call` stand word for word in what `sources` showed before, in the order of the lines. */
export interface RepeatedLines {
  readonly rule: 'repeatedLines';
  readonly call: CallPlace;
  readonly lines: readonly LineRange[];
  readonly sources: readonly CallPlace[];
}

/** The notes of `call` name lines of `targets` that the same step removes, so that the lines are put back. */
export interface RemovedTarget {
  readonly rule: 'removedTarget';
  readonly call: CallPlace;
  readonly targets: readonly CallPlace[];
}

/** The rule that shortens what is new before the other rules see it: `pruneWithoutRepeats`. */
export const repeatedLines = {
  settings: SETTINGS,
  reasons: {
    repeatedLines: {
      counter: {
        name: 'repeats',
        metadata: 'recencyPruned',
        what: 'repeated results, or lines of them',
        one: 'result',
        many: 'results',
        badge: 'repeated',
      },
      certificate: {
        what: 'lines of a new result that an earlier call shows word for word',
        page: 'repeated lines',
        terminal: 'repeated',
      },
      sentence: ({ sources }, { call }) => `${andList([...new Set(sources.map(call))])} shows the same lines above`,
    },
    removedTarget: {
      counter: 'repeats',
      certificate: 'repeatedLines',
      isCounted: () => false,
      sentence: ({ targets }, { call }) =>
        `its notes named lines of ${andList([...new Set(targets.map(call))])}, which are removed with this step`,
    },
  },
} as const satisfies Pick<PruningRule<RepeatedLines | RemovedTarget, typeof SETTINGS>, 'settings' | 'reasons'>;
