import { carriedResults } from './carried-results.ts';
import { pruneReads } from './prune-reads.ts';
import { recency } from './recency.ts';
import { repeatedInclusions } from './repeated-inclusions.ts';

/** The pruning rules, in the order in which they edit. Settings, reasons, totals and reports follow from them. */
export const RULES = [pruneReads, repeatedInclusions, recency, carriedResults] as const;
