import type { IContent } from '../../content/content.ts';
import type { HistoryVersion } from '../../history/entries/entry-log.ts';
import type { HistoryService } from '../../history/history-service.ts';
import type { PruningDecision, PruningMoment, PruningTerms } from '../../pruning/pruning-decision.ts';
import type { SentPrompts } from '../../pruning/sent-prompts.ts';
import type { DensityConfig, DensityResult } from '../../strategies/contract.ts';
import type { PreSendGateOptions } from '../options.ts';

type PruningTimingOptions = Pick<
  PreSendGateOptions,
  'runtimeContext' | 'runtimeState' | 'agent' | 'constantTokens' | 'now'
>;

/** A prompt that this gate sent. */
interface Send {
  readonly atMs: number;
  readonly entries: readonly IContent[];
  readonly version: HistoryVersion;
}

/** Decides which edits of an optimisation are applied now, by the timing in force and the last send. Prices are loaded only where something depends on them. */
export class PruningTiming {
  readonly #history: HistoryService;
  readonly #options: PruningTimingOptions;
  /** Absent until the first run that depends on prices. */
  #sent: SentPrompts | undefined;
  #lastSend: Send | undefined;

  constructor(history: HistoryService, options: PruningTimingOptions) {
    this.#history = history;
    this.#options = options;
  }

  /** The configuration of this run: on a lost prompt cache, rules may prune more. */
  async configNow(config: DensityConfig): Promise<DensityConfig> {
    if (!this.#waits()) return config;
    const last = this.#lastSend;
    const history = this.#history.getRawHistory();
    if (last && !this.#history.gateAccess.versions.hasOnlyGrownSince(last.version))
      this.#sent?.rebuilt(last.entries, history);
    const { configAt, givenLifetimeMs } = await import('../../pruning/pruning-decision.ts');
    this.#sent ??= new (await import('../../pruning/sent-prompts.ts')).SentPrompts();
    const { runtimeContext, runtimeState } = this.#options;
    const terms = { model: runtimeState.model, lifetimeMs: givenLifetimeMs(runtimeContext.ephemerals) };
    return configAt(config, this.#sentBefore(history), terms);
  }

  /** Call when the current history is sent. `isRebuilt`: other steps than the density step changed it. */
  noteSend({ pendingTokens, isRebuilt }: { pendingTokens: number; isRebuilt: boolean }): void {
    // If no edit waits, the time does not matter; later it counts as sent by others.
    if (!this.#waits()) {
      this.#lastSend = undefined;
      return;
    }
    const history = this.#history.getRawHistory();
    const { idleMs } = this.#sentBefore(history);
    if (isRebuilt) this.#sent?.rebuilt(this.#lastSend?.entries ?? [], history);
    const entryTokens = this.#history.getTotalTokens() - this.#history.getBaseTokenOffset();
    const promptTokens = this.#constantTokens() + entryTokens + pendingTokens;
    this.#sent?.sent({ promptTokens, idleMs, entries: history.length });
    const version = this.#history.gateAccess.versions.version();
    this.#lastSend = { atMs: this.#now(), entries: [...history], version };
  }

  /** Decides before a send of `pendingTokens` more what is applied; `undefined`: everything, without a reason. */
  async weigh(
    result: DensityResult,
    { pendingTokens, thresholdTokens }: { pendingTokens: number; thresholdTokens: number },
  ): Promise<PruningDecision | undefined> {
    if (!this.#waits()) return undefined;
    const { runtimeContext, runtimeState, agent } = this.#options;
    const { answersIn, dropsThinking, givenLifetimeMs, pruningDecision } = await import(
      '../../pruning/pruning-decision.ts'
    );
    const history = this.#history.getRawHistory();
    const moment: PruningMoment = {
      history,
      tokens: this.#history.getTokensPerEntry(),
      constantTokens: this.#constantTokens(),
      pendingTokens,
      ...this.#sentBefore(history),
      callsMade: answersIn(history),
      pastCalls: this.#sent?.pastCalls ?? [],
    };
    const terms: PruningTerms = {
      model: runtimeState.model,
      agent,
      lifetimeMs: givenLifetimeMs(runtimeContext.ephemerals),
      thresholdTokens,
      dropsThinking: dropsThinking({ rules: runtimeContext.ephemerals.densityRules?.() }),
    };
    const decision = pruningDecision(result, moment, terms);
    this.#sent?.pruned(decision.changed);
    return decision;
  }

  #constantTokens(): number {
    return this.#options.constantTokens ?? this.#history.getBaseTokenOffset();
  }

  #waits(): boolean {
    return this.#options.runtimeContext.ephemerals.densityTiming?.() === 'when-it-pays';
  }

  /** A history that another process sent counts as sent up to its last answer, at the time that its entries say. */
  #sentBefore(history: readonly IContent[]): Pick<PruningMoment, 'sentEntries' | 'idleMs'> {
    const last = this.#lastSend;
    if (last && this.#sent) return { sentEntries: this.#sent.sentEntries, idleMs: this.#now() - last.atMs };
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
