import type { HistoryService } from '../../history/history-service.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { PreSendGateOptions } from '../options.ts';
import { cacheMsOf, historySize, pruningPays, pruningWeight } from './density-timing.ts';

type PruningTimingOptions = Pick<PreSendGateOptions, 'runtimeContext' | 'now'>;

/** Decides if the edits of an optimisation are applied now, by the timing in force and the last send. */
export class PruningTiming {
  readonly #history: HistoryService;
  readonly #options: PruningTimingOptions;
  #lastSend: { readonly atMs: number; readonly entries: number } | undefined;

  constructor(history: HistoryService, options: PruningTimingOptions) {
    this.#history = history;
    this.#options = options;
  }

  /** Call when the current history is sent. */
  noteSend(): void {
    this.#lastSend = { atMs: this.#now(), entries: this.#history.getRawHistory().length };
  }

  /** Decides before a send of `pendingTokens` more if a result is applied. */
  weigh(
    result: DensityResult,
    { pendingTokens, thresholdTokens }: { pendingTokens: number; thresholdTokens: number },
  ): { pays: boolean; waitingTokens: number } {
    const { ephemerals } = this.#options.runtimeContext;
    if (ephemerals.densityTiming?.() !== 'when-it-pays') return { pays: true, waitingTokens: 0 };
    const last = this.#lastSend;
    const entries = this.#history.getRawHistory();
    const tokens = this.#history.getTokensPerEntry();
    const weight = pruningWeight(entries, result, { tokens, sentEntries: last?.entries ?? 0 });
    const pays = pruningPays({
      ...weight,
      ...historySize(entries, tokens),
      totalTokens: this.#history.getTotalTokens() + pendingTokens,
      thresholdTokens,
      idleMs: last && this.#now() - last.atMs,
      cacheMs: cacheMsOf(ephemerals),
    });
    return { pays, waitingTokens: weight.waitingTokens };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
