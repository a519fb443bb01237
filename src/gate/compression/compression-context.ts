import { CompressionStrategyError } from '../../errors.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { AgentRuntimeContext, CompressionContext, CompressionStrategy } from '../../strategies/contract.ts';
import type { PreSendGateOptions, SummarizerAccess } from '../options.ts';

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
