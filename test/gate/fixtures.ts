import type { IContent } from '../../src/content/content.ts';
import type { PreSendGateOptions, TranscriptSink } from '../../src/gate/options.ts';
import { PreSendGate } from '../../src/gate/pre-send-gate.ts';
import type { HistoryService } from '../../src/history/history-service.ts';
import type { EphemeralSettings } from '../../src/settings/registry.ts';
import { createEphemerals } from '../../src/settings/resolve.ts';
import type {
  CompressionContext,
  CompressionResult,
  CompressionStrategy,
  DensityConfig,
  DensityResult,
} from '../../src/strategies/contract.ts';
import { createHistory } from '../history/entries.ts';

const NOTHING = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };

export const density = (
  removals: readonly number[],
  replacements: readonly (readonly [number, IContent])[] = [],
): DensityResult => ({ removals, replacements: new Map(replacements), metadata: NOTHING });

/** A strategy whose answers a test chooses, and which records what it was given. */
export class FakeStrategy implements CompressionStrategy {
  readonly name = 'fake';
  readonly trigger = { mode: 'continuous', defaultThreshold: 0.85 } as const;
  requiresLLM = false;
  readonly optimized: { history: readonly IContent[]; live: readonly IContent[]; config: DensityConfig }[] = [];
  readonly contexts: CompressionContext[] = [];
  onOptimize: (history: readonly IContent[]) => DensityResult = () => density([]);
  onCompress: (context: CompressionContext) => IContent[] | Promise<IContent[]> = ({ history }) => [...history];

  optimize(history: readonly IContent[], config: DensityConfig): DensityResult {
    this.optimized.push({ history: [...history], live: history, config });
    return this.onOptimize(history);
  }

  async compress(context: CompressionContext): Promise<CompressionResult> {
    this.contexts.push(context);
    const newHistory = await this.onCompress(context);
    const metadata = {
      originalMessageCount: context.history.length,
      compressedMessageCount: newHistory.length,
      strategyUsed: this.name,
      llmCallMade: false,
    };
    return { newHistory, metadata };
  }
}

export class MemoryTranscript implements TranscriptSink {
  readonly path = '/transcripts/session.jsonl';
  readonly entries: IContent[] = [];
  failure: Error | undefined;

  async append(entries: readonly IContent[]): Promise<void> {
    if (this.failure) throw this.failure;
    this.entries.push(...entries);
  }
}

export interface Scene {
  readonly history: HistoryService;
  readonly gate: PreSendGate;
  readonly strategy: FakeStrategy;
  readonly transcript: MemoryTranscript;
  /** The session's own settings; a change counts at once. */
  readonly settings: { -readonly [Key in keyof EphemeralSettings]: EphemeralSettings[Key] };
}

/**
 * A history that counts one token per character, a gate over it with a fake strategy, and no completion budget, so
 * that the hard limit is near the context limit: `context-limit` less its twentieth.
 */
export function createScene({
  entries = [],
  history = createHistory(entries),
  settings = {},
  ...options
}: Partial<PreSendGateOptions> & {
  entries?: readonly IContent[];
  history?: HistoryService;
  settings?: EphemeralSettings;
} = {}): Scene {
  const strategy = new FakeStrategy();
  const transcript = new MemoryTranscript();
  const gate = new PreSendGate(history, {
    runtimeContext: {
      ephemerals: createEphemerals([settings], { model: 'gpt-4o' }),
      workspaceRoot: '/repo/project',
    },
    runtimeState: { model: 'gpt-4o' },
    createStrategy: () => strategy,
    completionBudgetTokens: 0,
    transcript,
    ...options,
  });
  return { history, gate, strategy, transcript, settings };
}
