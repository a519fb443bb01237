import type { IContent } from '../content/content.ts';
import type { DensityResult } from '../strategies/contract.ts';
import type { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';

/** Entries of one run over a history that is seen first: each run remembers what those before it found. */
const RUN_ENTRIES = 12;

interface Finding {
  readonly strategy: HighDensityStrategy;
  readonly config: GivenDensityConfig;
  /** The entries at the start that the strategy has seen. */
  readonly seenEntries: number;
}

/**
 * The edits that the rules propose for a history. Yields, wherever its caller may pause, the number of entries that the rules
 * have seen by then; a caller that gives up continues from there.
 */
export function* findEdits(
  entries: readonly IContent[],
  { strategy, config, seenEntries }: Finding,
): Generator<number, DensityResult> {
  for (let end = seenEntries + RUN_ENTRIES; end < entries.length; end += RUN_ENTRIES) {
    // After an answer nothing is new, which the rules would shorten and then read as it was.
    while (end < entries.length && entries[end - 1]!.speaker !== 'ai') end++;
    strategy.optimize(entries.slice(0, end), config);
    yield end;
  }
  return strategy.optimize(entries, config);
}
