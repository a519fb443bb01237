import type { IContent } from '../../content/content.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { PreSendGateOptions } from '../options.ts';
import type { PruningDecision } from './pruning-decision.ts';

type PruningTimingOptions = Pick<PreSendGateOptions, 'runtimeContext' | 'runtimeState' | 'agent' | 'now'>;

/** Decides which edits of an optimisation are applied now, by the timing in force and the last send. */
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

  /** Decides before a send of `pendingTokens` more what is applied; `undefined`: everything, without a reason. */
  async weigh(
    result: DensityResult,
    { pendingTokens, thresholdTokens }: { pendingTokens: number; thresholdTokens: number },
  ): Promise<PruningDecision | undefined> {
    const { runtimeContext, runtimeState, agent } = this.#options;
    const { ephemerals } = runtimeContext;
    if (ephemerals.densityTiming?.() !== 'when-it-pays') return undefined;
    // Prices are loaded only where something depends on them.
    const { pruningDecision } = await import('./pruning-decision.ts');
    const history = this.#history.getRawHistory();
    return pruningDecision(result, {
      history,
      tokens: this.#history.getTokensPerEntry(),
      constantTokens: this.#history.getBaseTokenOffset(),
      pendingTokens,
      thresholdTokens,
      ...this.#sent(history),
      model: runtimeState.model,
      agent,
      ephemerals,
    });
  }

  /** A history that another process sent counts as sent up to its last answer, at the time that its entries say. */
  #sent(history: readonly IContent[]): { readonly sentEntries: number; readonly idleMs: number | undefined } {
    const last = this.#lastSend;
    if (last !== undefined) return { sentEntries: last.entries, idleMs: this.#now() - last.atMs };
    const sentEntries = Math.max(
      0,
      history.findLastIndex(({ speaker }) => speaker === 'ai'),
    );
    const atMs = history[sentEntries]?.metadata?.timestamp;
    return { sentEntries, idleMs: atMs === undefined ? undefined : this.#now() - atMs };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
