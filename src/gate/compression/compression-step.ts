import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { compressedEntries } from '../../strategies/changed-entries.ts';
import type { CompressionContext, CompressionResult, CompressionStrategy } from '../../strategies/contract.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { CompressionOutcome, OnRemoved } from '../report.ts';
import type { TranscriptSink } from '../transcript.ts';

type Finished = Extract<CompressionOutcome, { kind: 'compressed' | 'unchanged' | 'failed' }>;

interface CompressionStep {
  readonly strategy: CompressionStrategy;
  /** Called after the history is closed for adds, so that the curated view is complete. */
  readonly createContext: () => CompressionContext;
  readonly transcript: TranscriptSink | undefined;
  readonly onRemoved?: OnRemoved | undefined;
  /** When aborted, the strategy's result is not applied. */
  readonly signal?: AbortSignal;
}

/**
 * Compresses with one strategy and applies the whole result or nothing: `unchanged` if it is not smaller, `failed` if
 * the strategy throws. Entries added meanwhile come after the new history.
 * @throws what the transcript or a counter throws, or the reason of `signal`; the history is unchanged then.
 */
export async function runCompressionStep(
  history: HistoryService,
  { strategy, createContext, transcript, onRemoved, signal }: CompressionStep,
): Promise<Finished> {
  if (history.isEmpty()) return { kind: 'unchanged', reason: 'empty-history' };
  history.startCompression();
  let entriesRemoved = 0;
  let summary: IContent | undefined;
  const slice = new TimeSlice();
  try {
    // Pruning just took time: let the event loop run before the views of a long history are made.
    await slice.next();
    const context = createContext();
    const [old, base] = [history.getAll(), history.gateAccess.versions.version()];
    let result: CompressionResult;
    try {
      result = await history.engine.compress(strategy, context);
    } catch (error) {
      signal?.throwIfAborted();
      const isRefused = error instanceof CompressionStrategyError && error.code === 'SUMMARY_NOT_SMALLER';
      if (isRefused) return { kind: 'unchanged', reason: 'not-smaller' };
      return { kind: 'failed', strategy: strategy.name, error };
    }
    signal?.throwIfAborted();
    const { newHistory, metadata } = result;
    const tokensAfter = await context.estimateTokens(newHistory);
    // Compare with the curated history that the strategy got: dropping empty entries is no saving.
    const isSmaller = tokensAfter < (await context.estimateTokens(context.history));
    if (!isSmaller) return { kind: 'unchanged', reason: 'not-smaller' };
    const tokensBefore = await context.estimateTokens(old);
    await slice.next();
    const [oldEntries, newEntries] = [new Set(old), new Set(newHistory)];
    const removed = old.filter((entry) => !newEntries.has(entry));
    const created = newHistory.filter((entry) => !oldEntries.has(entry));
    await transcript?.append(removed);
    signal?.throwIfAborted();
    if (!history.gateAccess.versions.hasOnlyGrownSince(base)) return { kind: 'unchanged', reason: 'history-changed' };
    await history.replaceAll(newHistory);
    onRemoved?.({
      kind: 'compressed',
      before: old,
      changes: compressedEntries(old, newHistory, metadata.strategyUsed),
    });
    entriesRemoved = removed.length;
    summary = created.find((entry) => entry.metadata?.isSummary);
    return {
      kind: 'compressed',
      metadata,
      entriesRemoved,
      entriesCreated: created.length,
      tokensBefore,
      tokensAfter,
    };
  } finally {
    history.endCompression(summary, entriesRemoved);
  }
}
