import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { HistoryService } from '../history/history-service.ts';
import type { CompressionStrategy, DensityConfig } from '../strategies/contract.ts';
import { getCompressionStrategy } from '../strategies/index.ts';
import { type Budget, budgetOf } from './budget.ts';
import { buildCompressionContext } from './compression/compression-context.ts';
import { runCompressionStep } from './compression/compression-step.ts';
import { CoolDown } from './compression/cool-down.ts';
import { type DensityStep, densityConfig, runDensityStep } from './density/density-step.ts';
import { PruningTiming } from './density/pruning-timing.ts';
import { enforceWindow } from './limit/enforcement.ts';
import type { GateRunOptions, PreSendGateOptions } from './options.ts';
import type { CompressionOutcome, DensityOutcome, EnforcementOutcome, GateReport } from './report.ts';

/** A strategy whose own long work lets timers and input have their turn. */
const createPausing = (name: string): CompressionStrategy =>
  getCompressionStrategy(name, { pause: () => nextEventLoopTurn() });

/**
 * What runs before every send, so that nothing is sent that the provider must refuse: settle the counts, optimise,
 * compress at the threshold, enforce the window. Runs on one history come one after the other, whichever gate they
 * come from. Source: REQ-HD-002; docs/architecture.md, "How a turn flows".
 */
export class PreSendGate {
  readonly #history: HistoryService;
  readonly #options: PreSendGateOptions;
  readonly #coolDown = new CoolDown();
  readonly #timing: PruningTiming;
  readonly #strategies = new Map<string, CompressionStrategy>();
  #notices: string[] = [];
  #hasNotedRetention = false;
  /** Of the run that has its turn. */
  #signal: AbortSignal | undefined;

  constructor(history: HistoryService, options: PreSendGateOptions) {
    this.#history = history;
    this.#options = options;
    this.#timing = new PruningTiming(history, options);
  }

  /**
   * Readies the history for a send of `pendingTokens` more, and says what it did. `source` names the caller.
   * @throws what optimising, applying, counting, the transcript or, below the hard limit, the strategy throws, with the
   * history as it was before the failing step (REQ-HD-013.1 to 013.4); `CONTEXT_WINDOW_EXCEEDED` when it cannot fit;
   * the reason of `signal` once that is aborted: the step that runs changes nothing any more.
   */
  ensureCompressionBeforeSend(
    promptId: string,
    pendingTokens = 0,
    source = 'send',
    { signal }: GateRunOptions = {},
  ): Promise<GateReport> {
    return this.#takeTurn(signal, async (config) => {
      const tokensBefore = this.#history.getTotalTokens();
      const density = await this.#optimize(config, (result) =>
        this.#timing.weigh(result, { pendingTokens, thresholdTokens: this.#budget().thresholdTokens }),
      );
      signal?.throwIfAborted();
      const compression = await this.#compressAtThreshold(promptId, pendingTokens);
      signal?.throwIfAborted();
      const enforcement = await this.#enforce(promptId, pendingTokens, { config, earlier: compression });
      this.#timing.noteSend();
      const notices = this.#notices;
      const tokensAfter = this.#history.getTotalTokens();
      return { promptId, source, tokensBefore, tokensAfter, density, compression, enforcement, notices };
    });
  }

  /** Optimises when content came in since the last time. Belongs into the sequential window before a send (ERR-031). */
  ensureDensityOptimized(): Promise<DensityOutcome> {
    return this.#takeTurn(undefined, (config) => this.#optimize(config));
  }

  /** Whether history, base offset and pending tokens reach the threshold, by the counts known now (BR-THRESH-005). */
  shouldCompress(pendingTokens = 0): boolean {
    return this.#history.getTotalTokens() + pendingTokens >= this.#budget().thresholdTokens;
  }

  /**
   * Compresses with the configured strategy, whatever the threshold.
   * @throws what the strategy throws, or the reason of `signal`; the history is as it was and no other strategy is tried
   * (REQ-HD-013.4).
   */
  performCompression(promptId: string, { signal }: GateRunOptions = {}): Promise<CompressionOutcome> {
    return this.#takeTurn(signal, async () => {
      const outcome = await this.#compress(promptId);
      if (outcome.kind === 'failed') throw outcome.error;
      return outcome;
    });
  }

  /**
   * Makes a send of `pendingTokens` more fit the hard limit (REQ-HD-002.8).
   * @throws CompressionStrategyError `CONTEXT_WINDOW_EXCEEDED` with the numbers when it cannot (law 10).
   */
  enforceContextWindow(pendingTokens: number, promptId: string): Promise<EnforcementOutcome> {
    return this.#takeTurn(undefined, (config) => this.#enforce(promptId, pendingTokens, { config }));
  }

  /** Waits for other gate runs, a compression that is still running and all counts; then it is this task's turn. */
  #takeTurn<Result>(
    signal: AbortSignal | undefined,
    task: (config: DensityConfig) => Promise<Result>,
  ): Promise<Result> {
    return this.#history.runGateTurn(async () => {
      signal?.throwIfAborted();
      this.#notices = [];
      this.#signal = signal;
      const config = densityConfig(this.#options.runtimeContext);
      try {
        await this.#history.waitForCompression();
        await this.#history.countFor(this.#options.runtimeState.model);
        await this.#history.waitForTokenUpdates();
        signal?.throwIfAborted();
        this.#history.verifyUnchanged();
        return await task(config);
      } finally {
        this.#signal = undefined;
      }
    });
  }

  /** One instance for each name: what it remembers of this history makes its next run cheap. */
  #strategy(): CompressionStrategy {
    const name = this.#options.runtimeContext.ephemerals.compressionStrategy();
    const strategy = this.#strategies.get(name) ?? (this.#options.createStrategy ?? createPausing)(name);
    this.#strategies.set(name, strategy);
    return strategy;
  }

  #budget(): Budget {
    const { ephemerals } = this.#options.runtimeContext;
    return budgetOf({
      contextLimitTokens: ephemerals.contextLimit(),
      thresholdRatio: ephemerals.compressionThreshold(),
      completionTokens: this.#options.completionBudgetTokens,
    });
  }

  #optimize(config: DensityConfig, paysNow?: DensityStep['paysNow']): Promise<DensityOutcome> {
    if (config.recencyPruning && config.recencyRetention < 1 && !this.#hasNotedRetention) {
      this.#hasNotedRetention = true;
      this.#notify(`\`compression.density.recencyRetention\` is ${config.recencyRetention}, which acts as 1.`);
    }
    return runDensityStep(this.#history, {
      strategy: this.#strategy(),
      config,
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      ...(paysNow && { paysNow }),
      ...(this.#signal && { signal: this.#signal }),
    });
  }

  async #compressAtThreshold(promptId: string, pendingTokens: number): Promise<CompressionOutcome> {
    if (!this.shouldCompress(pendingTokens)) return { kind: 'not-needed' };
    const turnsLeft = this.#coolDown.nextTurn();
    if (turnsLeft > 0) return { kind: 'cooling-down', turnsLeft };
    const outcome = await this.#compress(promptId);
    const isOverLimit = this.#history.getTotalTokens() + pendingTokens > this.#budget().hardLimitTokens;
    if (outcome.kind === 'failed' && !isOverLimit) throw outcome.error;
    return outcome;
  }

  /** One run of the configured strategy; `thresholdRatio` stands in for the configured threshold. */
  async #compress(promptId: string, thresholdRatio?: number): Promise<CompressionOutcome> {
    const outcome = await runCompressionStep(this.#history, {
      strategy: this.#strategy(),
      createContext: () =>
        buildCompressionContext(this.#history, this.#options, { promptId, thresholdRatio, signal: this.#signal }),
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      ...(this.#signal && { signal: this.#signal }),
    });
    await this.#history.waitForTokenUpdates();
    if (outcome.kind === 'compressed') this.#coolDown.noteSuccess();
    else if (outcome.kind === 'failed' || outcome.reason === 'not-smaller') this.#coolDown.noteFailure();
    return outcome;
  }

  #enforce(
    promptId: string,
    pendingTokens: number,
    { config, earlier }: { config: DensityConfig; earlier?: CompressionOutcome },
  ): Promise<EnforcementOutcome> {
    return enforceWindow(this.#history, {
      budget: this.#budget(),
      pendingTokens,
      isStrict: this.#options.isStrict ?? false,
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      optimize: () => this.#optimize(config),
      compress: (thresholdRatio) => this.#compressAtLimit(promptId, { thresholdRatio, earlier }),
      notify: (notice) => this.#notify(notice),
      signal: this.#signal,
    });
  }

  /** What failed in this run is not tried again, and a model is asked at most once a run and not while it cools down. */
  async #compressAtLimit(
    promptId: string,
    { thresholdRatio, earlier }: { thresholdRatio: number; earlier: CompressionOutcome | undefined },
  ): Promise<CompressionOutcome> {
    if (earlier?.kind === 'failed') return earlier;
    if (this.#strategy().requiresLLM) {
      if (earlier !== undefined && earlier.kind !== 'not-needed') return earlier;
      const turnsLeft = this.#coolDown.nextTurn();
      if (turnsLeft > 0) return { kind: 'cooling-down', turnsLeft };
    }
    return this.#compress(promptId, thresholdRatio);
  }

  #notify(notice: string): void {
    this.#notices.push(notice);
    this.#options.onNotice?.(notice);
  }
}
