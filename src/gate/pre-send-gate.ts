import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { madeOnce } from '../content/group-by.ts';
import type { HistoryService } from '../history/history-service.ts';
import type { CompressionStrategy, DensityConfig } from '../strategies/contract.ts';
import { traced } from '../telemetry/host-telemetry.ts';
import { type Budget, budgetOf } from './budget.ts';
import { type CompressionRun, type GateCompression, gateCompression } from './compression/gate-compression.ts';
import {
  type AskedOptimization,
  askForEdits,
  type DensityStep,
  densityConfig,
  runDensityStep,
} from './density/density-step.ts';
import { type PruningTiming, pruningTiming } from './density/pruning-timing.ts';
import { assertOptions, type GateRunOptions, type PreSendGateOptions } from './options.ts';
import {
  type CompressionOutcome,
  type DensityOutcome,
  type EnforcementOutcome,
  type GateReport,
  spanAttributes,
} from './report.ts';

/**
 * Runs before every send, so that the provider does not reject it: waits for counts, optimises, compresses at the
 * threshold, enforces the window. Runs on one history never overlap, also if they come from several gates. Source: REQ-HD-002; docs/architecture.md, "How a turn flows".
 */
export class PreSendGate {
  readonly #history: HistoryService;
  readonly #options: PreSendGateOptions;
  readonly #compression: GateCompression;
  readonly #timing: PruningTiming;
  readonly #strategies = new Map<string, CompressionStrategy>();
  /** Absent until the first run loads the strategies. */
  #createStrategy: PreSendGateOptions['createStrategy'];
  #notices: string[] = [];
  #hasNotedRetention = false;
  /** The signal of the current run. */
  #signal: AbortSignal | undefined;

  /** @throws CompressionStrategyError `SETTING_INVALID` if an option is missing (docs/readings.md, row 43). */
  constructor(history: HistoryService, options: PreSendGateOptions) {
    assertOptions(options);
    this.#history = history;
    this.#options = options;
    this.#createStrategy = options.createStrategy;
    this.#compression = gateCompression(history, options);
    this.#timing = pruningTiming(history, options);
  }

  /**
   * Prepares the history for a send of `pendingTokens` more and reports what it did. `source` names the caller.
   * @throws what optimising, applying, counting, the transcript or, below the hard limit, the strategy throws; the failing
   * step has changed nothing then (REQ-HD-013.1 to 013.4). `CONTEXT_WINDOW_EXCEEDED` if the history cannot fit. The
   * reason of an aborted `signal`; the current step changes nothing after that.
   */
  ensureCompressionBeforeSend(
    promptId: string,
    pendingTokens = 0,
    source = 'send',
    { signal }: GateRunOptions = {},
  ): Promise<GateReport> {
    const run = async (config: DensityConfig, asked: AskedOptimization | undefined): Promise<GateReport> => {
      const tokensBefore = this.#history.getTotalTokens();
      const density = await this.#optimize(config, asked, (result) =>
        this.#timing.weigh(result, { pendingTokens, thresholdTokens: this.#budget().thresholdTokens }),
      );
      signal?.throwIfAborted();
      const compression = await this.#compressAtThreshold(promptId, pendingTokens);
      signal?.throwIfAborted();
      const enforcement = await this.#enforce(promptId, pendingTokens, { config, earlier: compression });
      const isRebuilt = compression.kind === 'compressed' || enforcement.kind === 'enforced';
      this.#timing.noteSend({ pendingTokens, isRebuilt });
      const notices = this.#notices;
      const tokensAfter = this.#history.getTotalTokens();
      return { promptId, source, tokensBefore, tokensAfter, density, compression, enforcement, notices };
    };
    return traced('density.gate', () => this.#takeTurn(signal, run, { optimizes: true }), spanAttributes);
  }

  /** Optimises if the history changed since the last time. Call it where no send runs at the same time (ERR-031). */
  ensureDensityOptimized(): Promise<DensityOutcome> {
    return this.#takeTurn(undefined, (config, asked) => this.#optimize(config, asked), { optimizes: true });
  }

  /** True if history, base offset and pending tokens reach the threshold, by the current counts (BR-THRESH-005). */
  shouldCompress(pendingTokens = 0): boolean {
    return this.#history.getTotalTokens() + pendingTokens >= this.#budget().thresholdTokens;
  }

  /**
   * Compresses with the configured strategy, also below the threshold.
   * @throws what the strategy throws, or the reason of `signal`; the history is unchanged then and no other strategy is
   * tried (REQ-HD-013.4).
   */
  performCompression(promptId: string, { signal }: GateRunOptions = {}): Promise<CompressionOutcome> {
    return this.#takeTurn(signal, async () => {
      const outcome = await this.#compression.run(this.#compressionRun(promptId));
      if (outcome.kind === 'failed') throw outcome.error;
      return outcome;
    });
  }

  /**
   * Makes a send of `pendingTokens` more fit the hard limit (REQ-HD-002.8).
   * @throws CompressionStrategyError `CONTEXT_WINDOW_EXCEEDED` with the numbers if it cannot (law 10).
   */
  enforceContextWindow(pendingTokens: number, promptId: string): Promise<EnforcementOutcome> {
    return this.#takeTurn(undefined, (config) => this.#enforce(promptId, pendingTokens, { config }));
  }

  /** Waits for other gate runs, a compression that is still running and all counts; then it is this task's turn. */
  #takeTurn<Result>(
    signal: AbortSignal | undefined,
    task: (config: DensityConfig, asked: AskedOptimization | undefined) => Promise<Result>,
    { optimizes = false } = {},
  ): Promise<Result> {
    return this.#history.gateAccess.turns.run(async () => {
      signal?.throwIfAborted();
      this.#notices = [];
      this.#signal = signal;
      try {
        const config = await this.#timing.configNow(densityConfig(this.#options.runtimeContext));
        this.#createStrategy ??= (await import('../strategies/index.ts')).getCompressionStrategy;
        await this.#history.gateAccess.waitForCompression();
        const asked = optimizes ? this.#askForEdits(config) : undefined;
        await this.#history.gateAccess.countFor(this.#options.runtimeState.model);
        await this.#history.waitForTokenUpdates();
        signal?.throwIfAborted();
        this.#history.gateAccess.versions.verifyUnchanged();
        return await task(config, asked);
      } finally {
        this.#signal = undefined;
      }
    });
  }

  /** The question for edits where its answer brings the counts of new entries: then it is asked before they are counted. */
  #askForEdits(config: DensityConfig): AskedOptimization | undefined {
    if (this.#history.engine.broughtBytes === 0) return undefined;
    this.#history.setActiveTokenizationTarget(this.#options.runtimeState.model);
    return askForEdits(this.#history, { strategy: this.#strategy(), config });
  }

  /** One instance per name: what it remembers of this history makes its next run cheap. */
  #strategy(): CompressionStrategy {
    const name = this.#options.runtimeContext.ephemerals.compressionStrategy();
    const { logger } = this.#options;
    // A strategy that waits lets the event loop run during its own long work.
    const options = { pause: () => nextEventLoopTurn(), ...(logger && { logger }) };
    return madeOnce(this.#strategies, name, () => this.#createStrategy!(name, options));
  }

  #budget(): Budget {
    const { ephemerals } = this.#options.runtimeContext;
    return budgetOf({
      contextLimitTokens: ephemerals.contextLimit(),
      thresholdRatio: ephemerals.compressionThreshold(this.#createStrategy && this.#strategy()),
      completionTokens: this.#options.completionBudgetTokens,
      model: this.#options.runtimeState.model,
    });
  }

  #optimize(config: DensityConfig, asked?: AskedOptimization, decide?: DensityStep['decide']): Promise<DensityOutcome> {
    if (config.recencyPruning && config.recencyRetention < 1 && !this.#hasNotedRetention) {
      this.#hasNotedRetention = true;
      this.#notify(`\`compression.density.recencyRetention\` is ${config.recencyRetention}, which counts as 1.`);
    }
    return runDensityStep(this.#history, {
      strategy: this.#strategy(),
      config,
      asked,
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      ...(decide && { decide }),
      ...(this.#signal && { signal: this.#signal }),
    });
  }

  async #compressAtThreshold(promptId: string, pendingTokens: number): Promise<CompressionOutcome> {
    if (!this.shouldCompress(pendingTokens)) return { kind: 'not-needed' };
    const outcome = await this.#compression.unlessPaused(this.#compressionRun(promptId));
    const isOverLimit = this.#history.getTotalTokens() + pendingTokens > this.#budget().hardLimitTokens;
    if (outcome.kind === 'failed' && !isOverLimit) throw outcome.error;
    return outcome;
  }

  #compressionRun(promptId: string): CompressionRun {
    return { strategy: this.#strategy(), promptId, signal: this.#signal };
  }

  async #enforce(
    promptId: string,
    pendingTokens: number,
    { config, earlier }: { config: DensityConfig; earlier?: CompressionOutcome },
  ): Promise<EnforcementOutcome> {
    const budget = this.#budget();
    if (this.#history.getTotalTokens() + pendingTokens <= budget.hardLimitTokens) return { kind: 'within-limit' };
    const { enforceWindow } = await import('./limit/enforcement.ts');
    return enforceWindow(this.#history, {
      budget,
      pendingTokens,
      isStrict: this.#options.isStrict ?? false,
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      optimize: () => this.#optimize(config),
      compress: (thresholdRatio) =>
        this.#compression.atLimit(this.#compressionRun(promptId), { thresholdRatio, earlier }),
      notify: (notice) => this.#notify(notice),
      signal: this.#signal,
    });
  }

  #notify(notice: string): void {
    this.#notices.push(notice);
    this.#options.onNotice?.(notice);
  }
}
