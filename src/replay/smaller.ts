import type { IContent } from '../content/content.ts';
import type { SummarizerAccess } from '../gate/options.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { CompressionOutcome, RemovingStep } from '../gate/report.ts';
import type { EngineListener, EngineName } from '../history/engine.ts';
import { createHistoryService } from '../offload/create-history-service.ts';
import { optimizeConfig, prunedHistory } from '../sessions/prunable.ts';
import { withoutBareThought } from '../strategies/bare-thoughts.ts';
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

/**
 * The history without what can be removed now, whatever the strategy, and then compressed if requested. The result depends on the
 * history alone. Unchanged entries keep their identity.
 * @throws CompressionStrategyError as the strategy does.
 */
export async function makeSmaller(before: readonly IContent[], options: SmallerOptions): Promise<SmallerHistory> {
  const { model, engine, ephemerals, workspaceRoot, createStrategy, engineListener, summarizer, transcriptPath } =
    options;
  const service = createHistoryService({ engine, model });
  if (engineListener) listenToEngine(service, engineListener);
  // Counts that are known are not counted again.
  const tokensOf: TokensOf = (entries) => service.estimateTokensForContents(entries);
  const steps: RemovingStep[] = [];
  try {
    service.addAll(before);
    const strategy = createStrategy('high-density');
    // Asked of the engine, so that threads prune what is large; they count it in the same request.
    const found = await service.gateAccess.optimize(strategy, { ...optimizeConfig(ephemerals), workspaceRoot });
    const tokensBefore = await tokensOf(before);
    const pruned = prunedHistory(before, found, strategy.name);
    if (pruned.changes.length > 0) {
      steps.push({ kind: 'optimized', before, changes: pruned.changes });
      service.clear();
      service.addAll(pruned.history);
    }
    const gate = new PreSendGate(service, {
      runtimeContext: { ephemerals, workspaceRoot },
      runtimeState: { model },
      createStrategy,
      // The session file still contains everything, so no second copy is kept.
      ...(transcriptPath !== undefined && { transcript: { path: transcriptPath, append: async () => {} } }),
      onRemoved: ({ changes, ...step }) => steps.push({ ...step, changes: changes.map(withoutBareThought) }),
      ...(summarizer && { summarizer }),
    });
    const compression = options.compress ? await gate.performCompression('compress') : undefined;
    const account = new RemovalAccount();
    for (const { changes } of steps) account.add(changes);
    const history = service.getAll();
    return {
      history,
      steps,
      removals: await countedRemovals(account, tokensOf),
      tokensBefore,
      tokensAfter: await tokensOf(history),
      ...(compression !== undefined && { compression }),
    };
  } finally {
    service.dispose();
  }
}
