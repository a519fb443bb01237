import type { IContent } from '../content/content.ts';
import type { CompressionContext, CompressionResult, CompressionStrategy, DensityConfig, DensityResult } from '../strategies/contract.ts';
/** Does the heavy work of a history: counting, optimising, compressing. Inline here, on threads in `offload/`. */
export interface Engine {
    readonly name: 'inline' | 'offloaded';
    /** Tokens of each entry, in order, for `model`. */
    countEntries(entries: readonly IContent[], model: string): Promise<readonly number[]>;
    countText(text: string, model: string): Promise<number>;
    /** What `strategy.optimize` returns for the raw history. @throws what `optimize` throws. */
    optimize(strategy: CompressionStrategy, history: readonly IContent[], config: DensityConfig): Promise<DensityResult>;
    /** What `strategy.compress` returns. @throws what `compress` throws. */
    compress(strategy: CompressionStrategy, context: CompressionContext): Promise<CompressionResult>;
    dispose(): Promise<void>;
}
