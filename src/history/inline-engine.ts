import type { IContent } from '../content/content.ts';
import { footprint, textBytes } from '../content/footprint.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../strategies/contract.ts';
import { TimeSlice } from '../time-slice.ts';
import type { Counter } from './counter.ts';
import type { CountRequest, Engine, EngineStats, EntryCount } from './engine.ts';
import { hasLongText } from './tokens/long-text.ts';

/** Does the work on the calling thread: counting in slices that yield, `optimize` and `compress` as plain calls. */
export class InlineEngine implements Engine {
  readonly name = 'inline';
  readonly broughtBytes = 0;
  readonly #counter: Counter;
  #countedBytes = 0;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  serve(): void {}

  changed(): void {}

  async *countEntries(
    entries: readonly IContent[],
    { model, signal, sliceMs }: CountRequest,
  ): AsyncGenerator<readonly EntryCount[]> {
    await this.#prepare(model);
    const slice = new TimeSlice(sliceMs);
    let batch: EntryCount[] = [];
    for (const entry of entries) {
      batch.push(hasLongText(entry) ? await this.#countSlowly(entry, { model, slice }) : this.#count(entry, model));
      if (!slice.isOver()) continue;
      yield batch;
      batch = [];
      await slice.next();
      if (signal.aborted) return;
    }
    if (batch.length > 0) yield batch;
  }

  async countText(text: string, model: string): Promise<number> {
    await this.#prepare(model);
    this.#countedBytes += textBytes(text);
    return this.#counter.countText(text, model);
  }

  async optimize(
    strategy: CompressionStrategy,
    history: readonly IContent[],
    config: DensityConfig,
  ): Promise<DensityResult> {
    if (strategy.optimize === undefined) throw new TypeError(`The strategy "${strategy.name}" has no \`optimize\`.`);
    return strategy.optimize(history, config);
  }

  compress(strategy: CompressionStrategy, context: CompressionContext): Promise<CompressionResult> {
    return strategy.compress(context);
  }

  stats(): EngineStats {
    const none = { bytesCountedOnThreads: 0, sentBytes: 0, requests: 0, hits: 0, resyncs: 0 };
    return { bytesCountedByCaller: this.#countedBytes, ...none };
  }

  async dispose(): Promise<void> {}

  /** A vocabulary that cannot be loaded fails each count that needs it, not the request. */
  async #prepare(model: string): Promise<void> {
    await this.#counter.prepare?.(model)?.catch(() => {});
  }

  async #countSlowly(entry: IContent, { model, slice }: { model: string; slice: TimeSlice }): Promise<EntryCount> {
    const counting = this.#counter.countInSlices?.(entry, model);
    if (counting === undefined) return this.#count(entry, model);
    this.#countedBytes += footprint(entry).bytes;
    try {
      for (;;) {
        const step = counting.next();
        if (step.done) return { tokens: step.value };
        if (slice.isOver()) await slice.next();
      }
    } catch (error) {
      return { error };
    }
  }

  #count(entry: IContent, model: string): EntryCount {
    this.#countedBytes += footprint(entry).bytes;
    try {
      return { tokens: this.#counter.countEntry(entry, model) };
    } catch (error) {
      return { error };
    }
  }
}
