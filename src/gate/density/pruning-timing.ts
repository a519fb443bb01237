import type { IContent } from '../../content/content.ts';
import type { PastCalls } from '../../economics/account/past-calls.ts';
import type { Decision } from '../../economics/decision.ts';
import { sharedLength } from '../../economics/prompt-cache.ts';
import type { HistoryVersion } from '../../history/entries/entry-log.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { DensityConfig, DensityResult } from '../../strategies/contract.ts';
import type { PreSendGateOptions } from '../options.ts';
import type { PruningDecision } from './pruning-decision.ts';

type PruningTimingOptions = Pick<
  PreSendGateOptions,
  'runtimeContext' | 'runtimeState' | 'agent' | 'constantTokens' | 'now'
>;

/** Decides which edits of an optimisation are applied now, by the timing in force and the last send. */
export class PruningTiming {
  readonly #history: HistoryService;
  readonly #options: PruningTimingOptions;
  /** Absent until the first run that depends on prices, which are loaded then. */
  #pastCalls: PastCalls | undefined;
  #changed: Decision['changed'];
  /** True if the history was replaced since the last send, other than by the density step. */
  #isRebuilt = false;
  #lastSend:
    | { readonly atMs: number; readonly entries: readonly IContent[]; readonly version: HistoryVersion }
    | undefined;

  constructor(history: HistoryService, options: PruningTimingOptions) {
    this.#history = history;
    this.#options = options;
  }

  /** The configuration of this run: on a lost prompt cache, rules may prune more. */
  async configNow(config: DensityConfig): Promise<DensityConfig> {
    if (!this.#waits()) return config;
    const last = this.#lastSend?.version;
    this.#isRebuilt = last !== undefined && !this.#history.gateAccess.versions.hasOnlyGrownSince(last);
    const { isColdMoment, newPastCalls } = await import('./pruning-decision.ts');
    this.#pastCalls ??= newPastCalls();
    const { runtimeContext, runtimeState } = this.#options;
    const sent = this.#sent(this.#history.getRawHistory());
    const isCold = isColdMoment({ ...sent, model: runtimeState.model, ephemerals: runtimeContext.ephemerals });
    return isCold ? { ...config, isCold } : config;
  }

  /** Call when the current history is sent. `isRebuilt`: other steps than the density step changed it. */
  noteSend({ pendingTokens, isRebuilt }: { pendingTokens: number; isRebuilt: boolean }): void {
    // Where no edit waits, nothing depends on it; later it counts as sent by others.
    if (!this.#waits()) {
      this.#lastSend = undefined;
      return;
    }
    const { idleMs } = this.#sent(this.#history.getRawHistory());
    if (isRebuilt || this.#isRebuilt) this.#pastCalls?.rebuilt();
    const entryTokens = this.#history.getTotalTokens() - this.#history.getBaseTokenOffset();
    const promptTokens = this.#constantTokens() + entryTokens + pendingTokens;
    this.#pastCalls?.sent({ promptTokens, idleMs, pruned: this.#changed });
    this.#changed = undefined;
    const version = this.#history.gateAccess.versions.version();
    this.#lastSend = { atMs: this.#now(), entries: [...this.#history.getRawHistory()], version };
  }

  /** Decides before a send of `pendingTokens` more what is applied; `undefined`: everything, without a reason. */
  async weigh(
    result: DensityResult,
    { pendingTokens, thresholdTokens }: { pendingTokens: number; thresholdTokens: number },
  ): Promise<PruningDecision | undefined> {
    if (!this.#waits()) return undefined;
    const { runtimeContext, runtimeState, agent } = this.#options;
    const { ephemerals } = runtimeContext;
    // Prices are loaded only where something depends on them.
    const { pruningDecision } = await import('./pruning-decision.ts');
    const history = this.#history.getRawHistory();
    const decision = pruningDecision(result, {
      history,
      tokens: this.#history.getTokensPerEntry(),
      constantTokens: this.#constantTokens(),
      pendingTokens,
      thresholdTokens,
      ...this.#sent(history),
      pastCalls: this.#pastCalls?.calls ?? [],
      model: runtimeState.model,
      agent,
      ephemerals,
    });
    this.#changed = decision.changed;
    return decision;
  }

  #constantTokens(): number {
    return this.#options.constantTokens ?? this.#history.getBaseTokenOffset();
  }

  #waits(): boolean {
    return this.#options.runtimeContext.ephemerals.densityTiming?.() === 'when-it-pays';
  }

  /** A history that another process sent counts as sent up to its last answer, at the time that its entries say. */
  #sent(history: readonly IContent[]): { readonly sentEntries: number; readonly idleMs: number | undefined } {
    const last = this.#lastSend;
    if (last !== undefined) {
      const sentEntries = this.#isRebuilt ? sharedLength(last.entries, history) : last.entries.length;
      return { sentEntries, idleMs: this.#now() - last.atMs };
    }
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
