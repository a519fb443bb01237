import type { IContent } from '../content/content.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { RECOMMENDED } from '../settings/recommended.ts';
import { optimizedEntries } from '../strategies/changed-entries.ts';
import { getCompressionStrategy } from '../strategies/index.ts';
import { RemovalAccount, type Removed } from '../strategies/removals.ts';
import { SPECIFIED_RULES } from '../strategies/settings/rule-settings.ts';

interface Found {
  readonly count: number;
  readonly tokens: number;
}

/** What pruning would find in a history. */
export interface Prunable {
  /** Reads whose file was written later: what `optimize` would remove. */
  readonly staleReads: Found;
  /** Attached files that were attached again later. */
  readonly repeatedInclusions: Found;
  /** Reports of sub-agents, and skills that no call uses any more, of which the first lines say enough. */
  readonly oldReports: Found;
  readonly unusedSkills: Found;
}

const OF_AGENTS = {
  attachedReads: true,
  reportCalls: RECOMMENDED['compression.density.reportCalls'] ?? 0,
  skillCalls: RECOMMENDED['compression.density.skillCalls'] ?? 0,
};

interface Reading {
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly countEntry: (entry: IContent) => number;
}

/** Finds what the rules of the specification remove, and what agents put into user turns. Linear in blocks. */
export function prunable(history: readonly IContent[], { vocabulary, workspaceRoot, countEntry }: Reading): Prunable {
  const account = new RemovalAccount();
  const strategy = getCompressionStrategy('high-density', { vocabulary });
  const result = strategy.optimize?.(history, {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 1,
    workspaceRoot,
    rules: { ...SPECIFIED_RULES, ...OF_AGENTS },
  });
  if (result) account.add(optimizedEntries(history, result, strategy.name));
  const tokensOf = (entries: readonly IContent[]): number => entries.reduce((sum, entry) => sum + countEntry(entry), 0);
  const counted = ({ count, before, after }: Removed): Found => ({ count, tokens: tokensOf(before) - tokensOf(after) });
  const { readWritePairs, fileInclusions, reports, skills } = account.removed();
  return {
    staleReads: counted(readWritePairs),
    repeatedInclusions: counted(fileInclusions),
    oldReports: counted(reports),
    unusedSkills: counted(skills),
  };
}
