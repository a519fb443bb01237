import type { IContent } from '../content/content.ts';
import type { SummarizerAccess } from '../gate/options.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { CompressionOutcome, RemovingStep } from '../gate/report.ts';
import type { EngineListener, EngineName } from '../history/engine.ts';
import { createHistoryService } from '../offload/create-history-service.ts';
import { optimizeConfig } from '../sessions/prunable.ts';
import { isBareThought, withoutBareThought } from '../strategies/bare-thoughts.ts';
import type { CompressionStrategy, Ephemerals } from '../strategies/contract.ts';
import { countedRemovals, RemovalAccount, type Removals, type TokensOf } from '../strategies/removals.ts';
import { listenToEngine } from './engine-events.ts';

/** A smaller history, and what each rule removed. Tokens are our count of its entries. */
export interface SmallerHistory {
  readonly history: readonly IContent[];
  readonly removals: Removals;
  /** The steps that removed something, in their order. */
  readonly steps: readonly RemovingStep[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Present if compression was requested. */
  readonly compression?: CompressionOutcome;
}

interface SmallerOptions {
  readonly model: string;
  readonly engine: EngineName;
  readonly ephemerals: Ephemerals;
  readonly workspaceRoot: string;
  readonly createStrategy: (name: string) => CompressionStrategy;
  /** Called with the engine's events about its threads. */
  readonly engineListener?: EngineListener;
  /** Compress after optimising, at any size. */
  readonly compress: boolean;
  /** Needed by strategies that ask a model. */
  readonly summarizer?: SummarizerAccess | undefined;
  /** The file that will contain what is removed; a summary names it (REQ-HD-012.3). */
  readonly transcriptPath?: string;
}

/** Less than any time since the last call: the prompt cache counts as lost, whatever the clock says. */
const LOST_CACHE_MINUTES = Number.NEGATIVE_INFINITY;

/**
 * The history after the gate's steps: optimised by `optimizeConfig`, whatever the strategy, and then compressed if
 * requested. The result depends on the history alone. An answer is removed too if only its thinking is left. Unchanged entries keep their identity.
 * @throws CompressionStrategyError as the strategy does.
 */
export async function makeSmaller(before: readonly IContent[], options: SmallerOptions): Promise<SmallerHistory> {
  const { model, engine, ephemerals, workspaceRoot, createStrategy, engineListener, summarizer } = options;
  const service = createHistoryService({ engine, model });
  if (engineListener) listenToEngine(service, engineListener);
  const account = new RemovalAccount();
  const steps: RemovingStep[] = [];
  const { transcriptPath } = options;
  const gateWith = (ephemerals: Ephemerals): PreSendGate =>
    new PreSendGate(service, {
      runtimeContext: { ephemerals, workspaceRoot },
      runtimeState: { model },
      createStrategy,
      // The session file still contains everything, so no second copy is kept.
      ...(transcriptPath !== undefined && { transcript: { path: transcriptPath, append: async () => {} } }),
      onRemoved: ({ changes, ...step }) => steps.push({ ...step, changes: changes.map(withoutBareThought) }),
      ...(summarizer && { summarizer }),
    });
  try {
    service.addAll(before);
    // A gate with a strategy that compresses at the threshold does not optimise.
    await gateWith({
      ...ephemerals,
      compressionStrategy: () => 'high-density',
      densityCacheMinutes: () => LOST_CACHE_MINUTES,
      densityRules: () => optimizeConfig(ephemerals).rules,
    }).ensureDensityOptimized();
    const known = new Set(before);
    const optimized = service.getAll();
    const kept = optimized.filter((entry) => known.has(entry) || !isBareThought(entry));
    if (kept.length < optimized.length) {
      service.clear();
      service.addAll(kept);
    }
    const compression = options.compress ? await gateWith(ephemerals).performCompression('compress') : undefined;
    for (const { changes } of steps) account.add(changes);
    const history = service.getAll();
    // All entries were counted before, so this counts nothing again.
    const tokensOf: TokensOf = (entries) => service.estimateTokensForContents(entries);
    return {
      history,
      steps,
      removals: await countedRemovals(account, tokensOf),
      tokensBefore: await tokensOf(before),
      tokensAfter: await tokensOf(history),
      ...(compression !== undefined && { compression }),
    };
  } finally {
    service.dispose();
  }
}
