import type { IContent } from '../../src/content/content.ts';
import type { CompressionContext, Ephemerals } from '../../src/strategies/contract.ts';

/** Tokens of one entry for these tests: a quarter of its JSON, rounded up. */
export function entryTokens(content: IContent): number {
  return Math.ceil(JSON.stringify(content).length / 4);
}

export function totalTokens(contents: readonly IContent[]): number {
  return contents.reduce((sum, content) => sum + entryTokens(content), 0);
}

/** A context over `history` with `settings` in place of the defaults. A provider that is asked for throws. */
export function compressionContext(
  history: readonly IContent[],
  settings: { threshold?: number; preserve?: number; limit?: number } = {},
  more: Partial<CompressionContext> = {},
): CompressionContext {
  const ephemerals: Ephemerals = {
    compressionStrategy: () => 'high-density',
    compressionThreshold: () => settings.threshold ?? 0.85,
    preserveThreshold: () => settings.preserve ?? 0.2,
    contextLimit: () => settings.limit ?? 200_000,
    densityReadWritePruning: () => true,
    densityFileDedupe: () => true,
    densityRecencyPruning: () => false,
    densityRecencyRetention: () => 3,
  };
  return {
    history,
    runtimeContext: { ephemerals, workspaceRoot: '/work' },
    runtimeState: { model: 'test-model' },
    estimateTokens: async (contents) => totalTokens(contents),
    currentTokenCount: totalTokens(history),
    logger: { debug: () => {} },
    resolveProvider: () => {
      throw new Error('asked for a provider');
    },
    promptResolver: { resolve: async () => '' },
    promptBaseDir: '/prompts',
    promptContext: {},
    promptId: 'compression',
    ...more,
  };
}
