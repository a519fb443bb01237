import type { IContent } from '../content/content.ts';
import { PreSendGate } from '../gate/pre-send-gate.ts';
import type { CompressionOutcome } from '../gate/report.ts';
import { createHistoryService, type EngineName } from '../offload/create-history-service.ts';
import type { CompressionStrategy, Ephemerals } from '../strategies/contract.ts';
import { entryCounter } from './block-counter.ts';
import { GateObserver, removingSteps } from './gate-observer.ts';
import { type CountBlock, RemovalAccount, type Removals } from './removal.ts';

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
  readonly countBlock: CountBlock;
  /** Compress after optimising, whatever the threshold. */
  readonly compress: boolean;
}

/**
 * The history as the gate's steps leave it: optimised, and then compressed if asked for. Entries keep their identity
 * where nothing changed.
 * @throws CompressionStrategyError what the strategy throws.
 */
export async function makeSmaller(before: readonly IContent[], options: SmallerOptions): Promise<SmallerHistory> {
  const { model, engine, ephemerals, workspaceRoot, createStrategy, countBlock } = options;
  const service = createHistoryService({ engine, model });
  const account = new RemovalAccount(countBlock);
  const observer = new GateObserver(() => service.getRawHistory(), account);
  const gate = new PreSendGate(service, {
    runtimeContext: { ephemerals, workspaceRoot },
    runtimeState: { model },
    createStrategy,
    transcript: observer.transcript,
  });
  try {
    service.addAll(before);
    const density = await gate.ensureDensityOptimized();
    const compression = options.compress ? await gate.performCompression('compress') : undefined;
    observer.book(removingSteps(density, compression));
    const history = service.getAll();
    const countEntry = entryCounter(countBlock);
    const tokensOf = (entries: readonly IContent[]): number =>
      entries.reduce((sum, entry) => sum + countEntry(entry), 0);
    return {
      history,
      removals: account.removals(),
      tokensBefore: tokensOf(before),
      tokensAfter: tokensOf(history),
      ...(compression !== undefined && { compression }),
    };
  } finally {
    service.dispose();
  }
}
