import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryVersion } from '../../history/entries/entry-log.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { PruningDecision } from '../../pruning/pruning-decision.ts';
import { optimizedEntries } from '../../strategies/changed-entries.ts';
import type {
  AgentRuntimeContext,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../../strategies/contract.ts';
import type { TranscriptSink } from '../options.ts';
import type { DensityOutcome, OnRemoved } from '../report.ts';

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

/** A question to the optimiser that may not be answered yet, and the version that it is about. */
export interface AskedOptimization {
  readonly result: Promise<DensityResult>;
  readonly base: HistoryVersion;
  readonly contentVersion: number;
}

/** Asks for the edits of a changed history; `undefined` if there is nothing to ask. */
export function askForEdits(
  history: HistoryService,
  { strategy, config }: Pick<DensityStep, 'strategy' | 'config'>,
): AskedOptimization | undefined {
  if (skipReason(strategy) !== undefined || !history.gateAccess.versions.isDirty) return undefined;
  const { contentVersion } = history.gateAccess.versions;
  const base = history.gateAccess.versions.version();
  const asked = { base, contentVersion, result: history.gateAccess.optimize(strategy, config) };
  // Whoever needs the result learns of the error; a run that ends before that has an error of its own.
  asked.result.catch(() => {});
  return asked;
}

/** Why a strategy is not run before each send. */
const skipReason = ({ optimize, trigger }: CompressionStrategy): 'no-optimize' | 'threshold-only' | undefined => {
  if (optimize === undefined) return 'no-optimize';
  return trigger.mode === 'threshold' ? 'threshold-only' : undefined;
};

/** One run of the density step. */
export interface DensityStep {
  readonly strategy: CompressionStrategy;
  readonly config: DensityConfig;
  /** What was asked already, when the counts were not known yet. */
  readonly asked?: AskedOptimization | undefined;
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
  const reason = skipReason(step.strategy);
  if (reason !== undefined) {
    history.gateAccess.versions.markOptimized(history.gateAccess.versions.contentVersion);
    return { kind: 'skipped', reason };
  }
  let { asked } = step;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!history.gateAccess.versions.isDirty) return { kind: 'skipped', reason: 'clean' };
    asked ??= askForEdits(history, step)!;
    const outcome = await applyEdits(history, step, asked);
    if (outcome) return outcome;
    asked = undefined;
  }
  return { kind: 'skipped', reason: 'stale' };
}

async function applyEdits(
  history: HistoryService,
  { strategy, transcript, onRemoved, decide, signal }: DensityStep,
  asked: AskedOptimization,
): Promise<DensityOutcome | undefined> {
  const tokensBefore = history.getTotalTokens();
  let isStale = false;
  /** True if a part of the result is applied later: the history remains dirty. */
  let isWaiting = false;
  try {
    const raw = history.getRawHistory();
    const found = await asked.result;
    signal?.throwIfAborted();
    if (found.removals.length === 0 && found.replacements.size === 0) return { kind: 'empty' };
    const decision = await decide?.(found);
    const told = decision && { cause: decision.cause, reason: decision.reason, waitingTokens: decision.waitingTokens };
    isWaiting = decision !== undefined && decision.result !== found;
    if (told && decision.result === undefined) return { kind: 'waiting', ...told };
    const result = decision?.result ?? found;
    const { removals, replacements, metadata, edits } = result;
    await transcript?.append(changedEntries(raw, result));
    signal?.throwIfAborted();
    // The list of entries changes in place.
    const before = onRemoved && [...raw];
    await history.applyDensityResult(result, asked.base);
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
    if (!isStale && !isWaiting && !signal?.aborted) history.gateAccess.versions.markOptimized(asked.contentVersion);
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
export function changedEntries(
  raw: readonly IContent[],
  { removals, replacements }: Pick<DensityResult, 'removals' | 'replacements'>,
): IContent[] {
  const indices = [...removals, ...replacements.keys()].sort((a, b) => a - b);
  return indices.flatMap((index) => raw[index] ?? []);
}
