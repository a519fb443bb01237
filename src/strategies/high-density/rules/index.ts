import { repeatedLines } from '../repeated-lines/repeated-lines.ts';
import { shaped } from '../shapers/shaped.ts';
import { agentTexts } from './agent-texts/agent-texts.ts';
import { carriedResults } from './carried-results.ts';
import { oldThinking } from './old-thinking.ts';
import { pruneReads } from './prune-reads.ts';
import { recency } from './recency.ts';
import { repeatedInclusions } from './repeated-inclusions.ts';
import { supersededRuns } from './superseded-runs.ts';

/** The pruning rules, in the order in which they edit. */
export const RULES = [
  pruneReads,
  repeatedInclusions,
  recency,
  supersededRuns,
  carriedResults,
  agentTexts,
  oldThinking,
] as const;

/** All rules with what shortens new results before them. Settings, reasons, totals and reports follow from them. */
export const ALL_RULES = [...RULES, repeatedLines, shaped] as const;
