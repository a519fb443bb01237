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

export type PruningTiming = ReturnType<typeof pruningTiming>;

/** Decides which edits of an optimisation are applied now, by the timing in force and the last send. Prices are loaded only where something depends on them. */
export function pruningTiming(history: HistoryService, options: PruningTimingOptions) {
  const { versions } = history.gateAccess;
  const entries = history.getRawHistory();
  /** Absent until the first run that depends on prices. */
  let sent: SentPrompts | undefined;
  let lastSend: Send | undefined;
  // The options are read again each time: a setting or the model may have changed.
  const now = (): number => (options.now ?? Date.now)();
  const waits = (): boolean => options.runtimeContext.ephemerals.densityTiming?.() === 'when-it-pays';
  const constantTokens = (): number => options.constantTokens ?? history.getBaseTokenOffset();

  /** A history that another process sent counts as sent up to its last answer, at the time that its entries say. */
  function sentBefore(): Pick<PruningMoment, 'sentEntries' | 'idleMs'> {
    if (lastSend && sent) return { sentEntries: sent.sentEntries, idleMs: now() - lastSend.atMs };
    const sentEntries = Math.max(
      0,
      entries.findLastIndex(({ speaker }) => speaker === 'ai'),
    );
    const atMs = entries[sentEntries]?.metadata?.timestamp;
    return { sentEntries, idleMs: atMs === undefined ? undefined : now() - atMs };
  }

  return {
    /** The configuration of this run: on a lost prompt cache, rules may prune more. */
    async configNow(config: DensityConfig): Promise<DensityConfig> {
      if (!waits()) return config;
      if (lastSend && !versions.hasOnlyGrownSince(lastSend.version)) sent?.rebuilt(lastSend.entries, entries);
      const { configAt, givenLifetimeMs } = await import('../../pruning/pruning-decision.ts');
      sent ??= new (await import('../../pruning/sent-prompts.ts')).SentPrompts();
      const { runtimeContext, runtimeState } = options;
      const terms = { model: runtimeState.model, lifetimeMs: givenLifetimeMs(runtimeContext.ephemerals) };
      return configAt(config, sentBefore(), terms);
    },

    /** Call when the current history is sent. `isRebuilt`: other steps than the density step changed it. */
    noteSend({ pendingTokens, isRebuilt }: { pendingTokens: number; isRebuilt: boolean }): void {
      // If no edit waits, the time does not matter; later it counts as sent by others.
      if (!waits()) {
        lastSend = undefined;
        return;
      }
      const { idleMs } = sentBefore();
      if (isRebuilt) sent?.rebuilt(lastSend?.entries ?? [], entries);
      const entryTokens = history.getTotalTokens() - history.getBaseTokenOffset();
      const promptTokens = constantTokens() + entryTokens + pendingTokens;
      sent?.sent({ promptTokens, idleMs, entries: entries.length });
      lastSend = { atMs: now(), entries: [...entries], version: versions.version() };
    },

    /** Decides before a send of `pendingTokens` more what is applied; `undefined`: everything, without a reason. */
    async weigh(
      result: DensityResult,
      { pendingTokens, thresholdTokens }: { pendingTokens: number; thresholdTokens: number },
    ): Promise<PruningDecision | undefined> {
      if (!waits()) return undefined;
      const { runtimeContext, runtimeState, agent } = options;
      const { answersIn, dropsThinking, givenLifetimeMs, pruningDecision } = await import(
        '../../pruning/pruning-decision.ts'
      );
      const moment: PruningMoment = {
        history: entries,
        tokens: history.getTokensPerEntry(),
        constantTokens: constantTokens(),
        pendingTokens,
        ...sentBefore(),
        callsMade: answersIn(entries),
        pastCalls: sent?.pastCalls ?? [],
      };
      const terms: PruningTerms = {
        model: runtimeState.model,
        agent,
        lifetimeMs: givenLifetimeMs(runtimeContext.ephemerals),
        thresholdTokens,
        dropsThinking: dropsThinking({ rules: runtimeContext.ephemerals.densityRules?.() }),
      };
      const decision = pruningDecision(result, moment, terms);
      sent?.pruned(decision.changed);
      return decision;
    },
  };
}
