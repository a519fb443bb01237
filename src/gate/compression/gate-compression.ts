import type { HistoryService } from '../../history/history-service.ts';
import type { CompressionStrategy } from '../../strategies/contract.ts';
import type { PreSendGateOptions } from '../options.ts';
import type { CompressionOutcome } from '../report.ts';

/** What a compression is made with. */
export interface CompressionRun {
  readonly strategy: CompressionStrategy;
  readonly promptId: string;
  /** When aborted, the strategy's result is not applied. */
  readonly signal: AbortSignal | undefined;
}

/** The compressions of one gate, which pause after failures. */
export class GateCompression {
  readonly #history: HistoryService;
  readonly #options: PreSendGateOptions;
  readonly #coolDown = new CoolDown();

  constructor(history: HistoryService, options: PreSendGateOptions) {
    this.#history = history;
    this.#options = options;
  }

  /** One run, unless compressions pause. */
  async unlessPaused(run: CompressionRun, thresholdRatio?: number): Promise<CompressionOutcome> {
    const turnsLeft = this.#coolDown.nextTurn();
    return turnsLeft > 0 ? { kind: 'cooling-down', turnsLeft } : this.run(run, thresholdRatio);
  }

  /**
   * Does not repeat a strategy that failed in this gate run, as `earlier` says. Asks a model at most once per gate run,
   * and not during a pause.
   */
  async atLimit(
    run: CompressionRun,
    { thresholdRatio, earlier }: { thresholdRatio: number; earlier: CompressionOutcome | undefined },
  ): Promise<CompressionOutcome> {
    if (earlier?.kind === 'failed') return earlier;
    if (!run.strategy.requiresLLM) return this.run(run, thresholdRatio);
    return earlier && earlier.kind !== 'not-needed' ? earlier : this.unlessPaused(run, thresholdRatio);
  }

  /** One run of the strategy; `thresholdRatio` replaces a higher configured threshold. */
  async run(run: CompressionRun, thresholdRatio?: number): Promise<CompressionOutcome> {
    const { strategy, signal } = run;
    const { runCompressionStep } = await import('./compression-step.ts');
    const { buildCompressionContext } = await import('./compression-step.ts');
    const outcome = await runCompressionStep(this.#history, {
      strategy,
      createContext: () => buildCompressionContext(this.#history, this.#options, { ...run, thresholdRatio }),
      transcript: this.#options.transcript,
      onRemoved: this.#options.onRemoved,
      ...(signal && { signal }),
    });
    await this.#history.waitForTokenUpdates();
    if (outcome.kind === 'compressed') this.#coolDown.noteSuccess();
    else if (outcome.kind === 'failed' || outcome.reason === 'not-smaller') this.#coolDown.noteFailure();
    return outcome;
  }
}

/** Compression at the threshold pauses after this many failures in a row, for a number of gate runs that doubles each time. */
const FAILURES_BEFORE_PAUSE = 3;
const FIRST_PAUSE_TURNS = 4;
const LONGEST_PAUSE_TURNS = 64;

/**
 * Prevents a compression that does not help from running before every send. Counts gate runs, not time, so that a
 * recorded session replays the same on every machine. Source: docs/readings.md, row 17.
 */
export class CoolDown {
  #failures = 0;
  #pauseTurns = FIRST_PAUSE_TURNS;
  #turnsLeft = 0;

  /** Gate runs left in the pause, this one included; 0: not paused. Each call counts as one run. */
  nextTurn(): number {
    return this.#turnsLeft > 0 ? this.#turnsLeft-- : 0;
  }

  noteSuccess(): void {
    this.#failures = 0;
    this.#pauseTurns = FIRST_PAUSE_TURNS;
    this.#turnsLeft = 0;
  }

  noteFailure(): void {
    if (++this.#failures < FAILURES_BEFORE_PAUSE) return;
    this.#turnsLeft = this.#pauseTurns;
    this.#pauseTurns = Math.min(LONGEST_PAUSE_TURNS, 2 * this.#pauseTurns);
  }
}
