import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { optimizedEntries } from '../../strategies/changed-entries.ts';
import type {
  AgentRuntimeContext,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../../strategies/contract.ts';
import type { DensityOutcome, OnRemoved } from '../report.ts';
import type { TranscriptSink } from '../transcript.ts';
import type { PruningDecision } from './pruning-decision.ts';

/** Attempts at optimising a history that changes meanwhile; after that the next send tries again. */
const MAX_ATTEMPTS = 3;

/** The configuration of `optimize`, from the settings in force. */
export function densityConfig({ ephemerals, workspaceRoot }: AgentRuntimeContext): DensityConfig {
  const rules = ephemerals.densityRules?.();
  return {
    readWritePruning: ephemerals.densityReadWritePruning(),
    fileDedupe: ephemerals.densityFileDedupe(),
    recencyPruning: ephemerals.densityRecencyPruning(),
    recencyRetention: ephemerals.densityRecencyRetention(),
    workspaceRoot,
    ...(rules && { rules }),
  };
}

/** One run of the density step. */
export interface DensityStep {
  readonly strategy: CompressionStrategy;
  readonly config: DensityConfig;
  readonly transcript: TranscriptSink | undefined;
  readonly onRemoved?: OnRemoved | undefined;
  /** Decides what of a result is applied now; absent or `undefined`: all of it. */
  readonly decide?: (result: DensityResult) => Promise<PruningDecision | undefined>;
  /** When aborted, the result is not applied. */
  readonly signal?: AbortSignal;
}

/**
 * Optimises the raw history if it changed since the last time, and applies the result. Afterwards the optimised version
 * counts as clean, also if the step throws (docs/readings.md, row 19), but not while its result waits. A strategy that
 * acts at the threshold only is skipped, and the history counts as clean (row 39).
 * @throws what `optimize`, the transcript, applying or recounting throws (REQ-HD-013.1 to 013.3).
 */
export async function runDensityStep(history: HistoryService, step: DensityStep): Promise<DensityOutcome> {
  const { optimize, trigger } = step.strategy;
  if (optimize === undefined || trigger.mode === 'threshold') {
    history.versions.markOptimized(history.versions.contentVersion);
    return { kind: 'skipped', reason: optimize === undefined ? 'no-optimize' : 'threshold-only' };
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!history.versions.isDirty) return { kind: 'skipped', reason: 'clean' };
    const outcome = await optimizeOnce(history, step);
    if (outcome) return outcome;
  }
  return { kind: 'skipped', reason: 'stale' };
}

async function optimizeOnce(
  history: HistoryService,
  { strategy, config, transcript, onRemoved, decide, signal }: DensityStep,
): Promise<DensityOutcome | undefined> {
  const version = history.versions.contentVersion;
  const base = history.versions.version();
  const tokensBefore = history.getTotalTokens();
  let isStale = false;
  /** True if a part of the result is applied later: the history remains dirty. */
  let isWaiting = false;
  try {
    const raw = history.getRawHistory();
    const found = await history.engine.optimize(strategy, raw, config);
    signal?.throwIfAborted();
    if (found.removals.length === 0 && found.replacements.size === 0) return { kind: 'empty' };
    const decision = await decide?.(found);
    const told = decision && { reason: decision.reason, waitingTokens: decision.waitingTokens };
    isWaiting = decision !== undefined && decision.result !== found;
    if (told && decision.result === undefined) return { kind: 'waiting', ...told };
    const result = decision?.result ?? found;
    const { removals, replacements, metadata, edits } = result;
    await transcript?.append(changedEntries(raw, result));
    signal?.throwIfAborted();
    // The list of entries changes in place.
    const before = onRemoved && [...raw];
    await history.applyDensityResult(result, base);
    if (before) {
      onRemoved?.({ kind: 'optimized', before, changes: optimizedEntries(before, result, strategy.name) });
    }
    await history.waitForTokenUpdates();
    return {
      kind: 'applied',
      metadata,
      ...(edits && { edits }),
      ...told,
      entriesRemoved: removals.length,
      entriesReplaced: replacements.size,
      tokensBefore,
      tokensAfter: history.getTotalTokens(),
    };
  } catch (error) {
    isStale = error instanceof CompressionStrategyError && error.code === 'HISTORY_CHANGED';
    if (isStale) return undefined;
    throw await withPendingFailures(history, error);
  } finally {
    if (!isStale && !isWaiting && !signal?.aborted) history.versions.markOptimized(version);
  }
}

/** `error`, with pending token failures that would otherwise fail the next turn. */
async function withPendingFailures(history: HistoryService, error: unknown): Promise<unknown> {
  try {
    await history.waitForTokenUpdates();
  } catch (pending) {
    if (pending !== error)
      return new AggregateError([error, pending], 'The density step failed, and token updates too.');
  }
  return error;
}

/** The entries that a result removes or replaces, in the order of the history. */
function changedEntries(raw: readonly IContent[], { removals, replacements }: DensityResult): IContent[] {
  const indices = [...removals, ...replacements.keys()].sort((a, b) => a - b);
  return indices.map((index) => raw[index]).filter((entry) => entry !== undefined);
}
