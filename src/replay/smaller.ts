import type { IContent } from '../content/content.ts';
import type { SummarizerAccess } from '../gate/options.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { CompressionOutcome, RemovingStep } from '../gate/report.ts';
import type { EngineListener, EngineName } from '../history/engine.ts';
import { createHistoryService } from '../offload/create-history-service.ts';
import type { CompressionStrategy, Ephemerals } from '../strategies/contract.ts';
import { countedRemovals, RemovalAccount, type Removals, type TokensOf } from '../strategies/removals.ts';
import { listenToEngine } from './engine-events.ts';

/** What was made of a history, and what each rule took away. Tokens are those of the entries alone. */
export interface SmallerHistory {
  readonly history: readonly IContent[];
  readonly removals: Removals;
  /** The steps that removed something, in their order. */
  readonly steps: readonly RemovingStep[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Present when it was to be compressed. */
  readonly compression?: CompressionOutcome;
}

export interface SmallerOptions {
  readonly model: string;
  readonly engine: EngineName;
  readonly ephemerals: Ephemerals;
  readonly workspaceRoot: string;
  readonly createStrategy: (name: string) => CompressionStrategy;
  /** Hears what becomes of the work that belongs on threads. */
  readonly engineListener?: EngineListener;
  /** Compress after optimising, whatever the threshold. */
  readonly compress: boolean;
  /** Asked by strategies that need a model. */
  readonly summarizer?: SummarizerAccess | undefined;
  /** Where what is taken away will stand; a summary names it (REQ-HD-012.3). */
  readonly transcriptPath?: string;
}

/**
 * The history as the gate's steps leave it: optimised, and then compressed if asked for. Entries keep their identity
 * where nothing changed.
 * @throws CompressionStrategyError what the strategy throws.
 */
export async function makeSmaller(before: readonly IContent[], options: SmallerOptions): Promise<SmallerHistory> {
  const { model, engine, ephemerals, workspaceRoot, createStrategy, engineListener, summarizer } = options;
  const service = createHistoryService({ engine, model });
  if (engineListener) listenToEngine(service, engineListener);
  const account = new RemovalAccount();
  const steps: RemovingStep[] = [];
  const { transcriptPath } = options;
  const gate = new PreSendGate(service, {
    runtimeContext: { ephemerals, workspaceRoot },
    runtimeState: { model },
    createStrategy,
    // The session still has everything in its file: nothing is kept twice.
    ...(transcriptPath !== undefined && { transcript: { path: transcriptPath, append: async () => {} } }),
    onRemoved: (step) => steps.push(step),
    ...(summarizer && { summarizer }),
  });
  try {
    service.addAll(before);
    await gate.ensureDensityOptimized();
    const compression = options.compress ? await gate.performCompression('compress') : undefined;
    for (const { changes } of steps) account.add(changes);
    const history = service.getAll();
    // All of it was counted on the way: nothing is counted again.
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
