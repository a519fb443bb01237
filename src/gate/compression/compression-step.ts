import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryService } from '../../history/history-service.ts';
import { compressedEntries } from '../../strategies/changed-entries.ts';
import type {
  AgentRuntimeContext,
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
} from '../../strategies/contract.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { PreSendGateOptions, SummarizerAccess, TranscriptSink } from '../options.ts';
import type { CompressionOutcome, OnRemoved } from '../report.ts';

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
    const old = history.getAll();
    const base = history.gateAccess.versions.version();
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
    const oldEntries = new Set(old);
    const newEntries = new Set(newHistory);
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

const noModel = (what: string): never => {
  throw new CompressionStrategyError(
    `Expected ${what} for a strategy that asks a model, got none. Choose a strategy without one, or give the gate a \`summarizer\`.`,
    'EXECUTION_FAILED',
  );
};

const WITHOUT_SUMMARIZER: SummarizerAccess = {
  resolveProvider: () => noModel('a provider'),
  promptResolver: { resolve: async () => noModel('a prompt') },
  promptBaseDir: '',
  promptContext: {},
};

/** The same access; an aborted `signal` cancels its requests. */
function cancellable(access: SummarizerAccess, signal: AbortSignal | undefined): SummarizerAccess {
  if (signal === undefined) return access;
  return {
    ...access,
    resolveProvider: (...names) => {
      const provider = access.resolveProvider(...names);
      const { name } = provider;
      return {
        name,
        summarize: (request) => {
          const signals = request.signal === undefined ? [signal] : [request.signal, signal];
          return provider.summarize({ ...request, signal: AbortSignal.any(signals) });
        },
      };
    },
  };
}

/** The same runtime with the threshold of a strategy, or `thresholdRatio` if that is lower. */
function withThreshold(
  { ephemerals, workspaceRoot }: AgentRuntimeContext,
  strategy: CompressionStrategy,
  thresholdRatio = Number.POSITIVE_INFINITY,
): AgentRuntimeContext {
  return {
    workspaceRoot,
    ephemerals: {
      compressionStrategy: () => ephemerals.compressionStrategy(),
      compressionProfile: () => ephemerals.compressionProfile?.(),
      compressionThreshold: () => Math.min(ephemerals.compressionThreshold(strategy), thresholdRatio),
      preserveThreshold: () => ephemerals.preserveThreshold(),
      contextLimit: () => ephemerals.contextLimit(),
      densityReadWritePruning: () => ephemerals.densityReadWritePruning(),
      densityFileDedupe: () => ephemerals.densityFileDedupe(),
      densityRecencyPruning: () => ephemerals.densityRecencyPruning(),
      densityRecencyRetention: () => ephemerals.densityRecencyRetention(),
    },
  };
}

/**
 * The context of `compress`: the curated history and the current runtime (REQ-HD-011.2). `thresholdRatio` replaces a
 * higher configured threshold.
 */
export function buildCompressionContext(
  history: HistoryService,
  options: PreSendGateOptions,
  run: {
    strategy: CompressionStrategy;
    promptId: string;
    thresholdRatio: number | undefined;
    signal: AbortSignal | undefined;
  },
): CompressionContext {
  const { strategy, promptId, thresholdRatio, signal } = run;
  const { runtimeState, transcript } = options;
  const runtimeContext = withThreshold(options.runtimeContext, strategy, thresholdRatio);
  const activeTodos = options.activeTodos?.();
  return {
    ...cancellable(options.summarizer ?? WITHOUT_SUMMARIZER, signal),
    history: history.getCurated(),
    runtimeContext,
    runtimeState,
    estimateTokens: (contents) => history.estimateTokensForContents(contents),
    currentTokenCount: history.getTotalTokens(),
    logger: options.logger ?? { debug: () => {} },
    promptId,
    ...(activeTodos !== undefined && { activeTodos }),
    ...(transcript?.path !== undefined && { transcriptPath: transcript.path }),
  };
}
