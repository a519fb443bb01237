import { COMPACTED_MODELS } from './compacted-models.ts';
import type { CompactionsPlayed } from './play.ts';

export interface CompactedOutcome extends CompactionsPlayed {
  readonly play: string;
  readonly set: string;
  readonly model: string;
}

type Count = keyof CompactionsPlayed;

/** Counts that must be 0, in words. */
const FAULTS: readonly (readonly [Count, string])[] = [
  ['refused', 'refused because of the pruner'],
  ['missed', 'summaries that miss what is in the cache'],
  ['changedInSummaries', 'elements that a summary has in another form'],
  ['changedPrefixes', 'prefixes changed outside an epoch'],
  ['droppedThinking', 'thinking blocks lost'],
  ['markersSent', 'requests with a quoted marker'],
];

const sum = (outcomes: readonly CompactedOutcome[], key: Count): number =>
  outcomes.reduce((total, one) => total + one[key], 0);

function changeOf(outcomes: readonly CompactedOutcome[], from: Count, to: Count): string {
  const [before, after] = [sum(outcomes, from), sum(outcomes, to)];
  const percent = before === 0 ? 0 : (100 * (after - before)) / before;
  return `$${before.toFixed(2)} → $${after.toFixed(2)} (${percent.toFixed(2)}%)`;
}

/** True if the bill is what is promised beside that of the other build. */
function isLower(outcomes: readonly CompactedOutcome[]): boolean {
  const [before, after] = [sum(outcomes, 'baselineDollars'), sum(outcomes, 'pairedDollars')];
  return sum(outcomes, 'pairedSummaries') > 0 ? after < before : after <= before * 1.000_000_001;
}

/** Prints the outcomes per set and model; returns true if the proof holds. */
export function reportCompactions(outcomes: readonly CompactedOutcome[], hasBaseline: boolean): boolean {
  let isRight = true;
  for (const set of new Set(outcomes.map((one) => one.set))) {
    for (const { name } of COMPACTED_MODELS) {
      const own = outcomes.filter((one) => one.set === set && one.model === name);
      if (own.length === 0) continue;
      console.log(
        `${set}, ${name}: ${own.length} sessions, ${sum(own, 'calls')} calls; ${sum(own, 'summaries')} summaries, ${sum(own, 'withOtherTools')} with other tools, ${sum(own, 'beyond')} of originals beyond the window, ${sum(own, 'quoted')} quote a marker`,
      );
      console.log(`  without the pruner, with it: ${changeOf(own, 'plainDollars', 'dollars')}`);
      if (!hasBaseline) continue;
      if (!isLower(own)) isRight = false;
      console.log(
        `  the other build, this one: ${changeOf(own, 'baselineDollars', 'pairedDollars')}${isLower(own) ? '' : ' NOT LOWER'}; of that ${sum(own, 'pairedSummaries')} summaries: ${changeOf(own, 'baselineSummaryDollars', 'pairedSummaryDollars')}; ${sum(own, 'baselineRefused')} summaries refused of the other build`,
      );
    }
  }
  for (const one of outcomes)
    for (const [key, words] of FAULTS) if (one[key] > 0) console.log(`${one.play}: ${one[key]} ${words}`);
  for (const [key, words] of FAULTS) console.log(`${sum(outcomes, key)} ${words}`);
  return isRight && FAULTS.every(([key]) => sum(outcomes, key) === 0);
}
