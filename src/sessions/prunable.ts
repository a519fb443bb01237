import type { IContent } from '../content/content.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import { densityConfig } from '../gate/density/density-step.ts';
import { withoutBareThought } from '../strategies/bare-thoughts.ts';
import { type ChangedEntry, optimizedEntries } from '../strategies/changed-entries.ts';
import type { DensityConfig, DensityResult, Ephemerals } from '../strategies/contract.ts';
import { getCompressionStrategy } from '../strategies/index.ts';
import { RemovalAccount, type Removals, removalsOf } from '../strategies/removals.ts';

/** How a session is pruned that is written again; plain data. */
export type OptimizeConfig = Omit<DensityConfig, 'workspaceRoot'>;

/**
 * The rules in force for a session that is written again. All edits apply, as when the prompt cache is lost: the agent that resumes it sends another prompt. All thinking is kept, because the model that continues the session is not known.
 */
export function optimizeConfig(ephemerals: Ephemerals): OptimizeConfig {
  const { workspaceRoot: _, rules, ...phases } = densityConfig({ ephemerals, workspaceRoot: '/' });
  const isCold = ephemerals.densityTiming?.() === 'when-it-pays';
  return { ...phases, isCold, ...(rules && { rules: { ...rules, thinkingCalls: 0 } }) };
}

/** What rules remove of a history, and the history without it. */
interface PrunedHistory {
  /** Entries that are not changed keep their identity. */
  readonly history: readonly IContent[];
  /** In the order of the history. */
  readonly changes: readonly ChangedEntry[];
}

/**
 * What can be removed from a history now, which `optimize` removes: `found` is the answer of the strategy, which may come from a
 * thread. An answer is removed too if only its thinking is left. Linear in blocks.
 */
export function prunedHistory(history: readonly IContent[], found: DensityResult, strategy: string): PrunedHistory {
  const changes = optimizedEntries(history, found, strategy).map(withoutBareThought);
  const changed = new Map(changes.map((change) => [change.index, change]));
  return {
    history: history.flatMap((entry, at) => {
      const change = changed.get(at);
      return change === undefined ? entry : (change.after ?? []);
    }),
    changes,
  };
}

/** What `optimize` removes from a history. */
export interface Prunable {
  readonly removals: Removals;
  /** The tokens of all removals; negative if the markers are longer than the text that they replace. */
  readonly removableTokens: number;
}

interface Reading {
  readonly workspaceRoot: string;
  readonly optimize: OptimizeConfig;
  readonly vocabulary: ToolVocabulary;
  readonly countEntry: (entry: IContent) => number;
}

/** Counts what can be removed from a history now, on the thread that calls it. Linear in blocks. */
export function prunable(
  history: readonly IContent[],
  { vocabulary, workspaceRoot, optimize, countEntry }: Reading,
): Prunable {
  const strategy = getCompressionStrategy('high-density', { vocabulary });
  const found = strategy.optimize!(history, { ...optimize, workspaceRoot });
  const { changes } = prunedHistory(history, found, strategy.name);
  const account = new RemovalAccount();
  account.add(changes);
  const sizeOf = (entry: IContent | undefined): number => (entry === undefined ? 0 : countEntry(entry));
  return {
    removals: removalsOf(account, countEntry),
    removableTokens: changes.reduce((sum, { before, after }) => sum + sizeOf(before) - sizeOf(after), 0),
  };
}
