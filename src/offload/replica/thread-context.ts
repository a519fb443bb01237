import type { IContent } from '../../content/content.ts';
import type { CompressionContext } from '../../strategies/contract.ts';
import type { CompressTask } from '../protocol.ts';

const notOnAThread = (what: string): never => {
  throw new Error(`Expected a strategy that needs no model on a thread, got one that asks for ${what}.`);
};

/** The context of a compression that runs on a thread: numbers and counts, no model, no files. */
export function threadContext(
  task: CompressTask,
  history: readonly IContent[],
  countEntry: (entry: IContent) => number,
): CompressionContext {
  return {
    history,
    runtimeContext: {
      workspaceRoot: task.workspaceRoot,
      ephemerals: {
        compressionStrategy: () => task.strategy,
        compressionThreshold: () => task.compressionThreshold,
        preserveThreshold: () => task.preserveThreshold,
        contextLimit: () => task.contextLimitTokens,
        densityReadWritePruning: () => notOnAThread('density settings'),
        densityFileDedupe: () => notOnAThread('density settings'),
        densityRecencyPruning: () => notOnAThread('density settings'),
        densityRecencyRetention: () => notOnAThread('density settings'),
      },
    },
    runtimeState: { model: '' },
    estimateTokens: async (contents) => contents.reduce((sum, entry) => sum + countEntry(entry), 0),
    currentTokenCount: task.currentTokens,
    logger: { debug: () => {} },
    resolveProvider: () => notOnAThread('a provider'),
    promptResolver: { resolve: () => notOnAThread('a prompt') },
    promptBaseDir: '',
    promptContext: {},
    promptId: '',
  };
}
