import type { IContent } from '../content/content.ts';
import type { SummarizerAccess } from '../gate/options.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { CompressionOutcome } from '../gate/report.ts';
import type { EngineListener, EngineName } from '../history/engine.ts';
import { createHistoryService } from '../offload/create-history-service.ts';
import type { CompressionStrategy, Ephemerals } from '../strategies/contract.ts';
import { countedRemovals, RemovalAccount, type Removals, type TokensOf } from '../strategies/removal.ts';
import { listenToEngine } from './engine-events.ts';
import { GateObserver, removingSteps } from './gate-observer.ts';

/** What was made of a history, and what each rule took away. Tokens are those of the entries alone. */
export interface SmallerHistory {
  readonly history: readonly IContent[];
  readonly removals: Removals;
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
  const observer = new GateObserver(() => service.getRawHistory(), account, options.transcriptPath);
  const gate = new PreSendGate(service, {
    runtimeContext: { ephemerals, workspaceRoot },
    runtimeState: { model },
    createStrategy,
    transcript: observer.transcript,
    ...(summarizer && { summarizer }),
  });
  try {
    service.addAll(before);
    const density = await gate.ensureDensityOptimized();
    const compression = options.compress ? await gate.performCompression('compress') : undefined;
    observer.book(removingSteps(density, compression));
    const history = service.getAll();
    // All of it was counted on the way: nothing is counted again.
    const tokensOf: TokensOf = (entries) => service.estimateTokensForContents(entries);
    return {
      history,
      removals: await countedRemovals(account.taken(), tokensOf),
      tokensBefore: await tokensOf(before),
      tokensAfter: await tokensOf(history),
      ...(compression !== undefined && { compression }),
    };
  } finally {
    service.dispose();
  }
}
