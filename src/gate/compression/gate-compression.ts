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

export type GateCompression = ReturnType<typeof gateCompression>;

/** The compressions of one gate, which pause after failures. `thresholdRatio` replaces a higher configured threshold. */
export function gateCompression(history: HistoryService, options: PreSendGateOptions) {
  const coolDown = new CoolDown();

  /** One run of the strategy. */
  async function run(asked: CompressionRun, thresholdRatio?: number): Promise<CompressionOutcome> {
    const { strategy, signal } = asked;
    const { buildCompressionContext, runCompressionStep } = await import('./compression-step.ts');
    const outcome = await runCompressionStep(history, {
      strategy,
      createContext: () => buildCompressionContext(history, options, { ...asked, thresholdRatio }),
      transcript: options.transcript,
      onRemoved: options.onRemoved,
      ...(signal && { signal }),
    });
    await history.waitForTokenUpdates();
    if (outcome.kind === 'compressed') coolDown.noteSuccess();
    else if (outcome.kind === 'failed' || outcome.reason === 'not-smaller') coolDown.noteFailure();
    return outcome;
  }

  /** One run, unless compressions pause. */
  async function unlessPaused(asked: CompressionRun, thresholdRatio?: number): Promise<CompressionOutcome> {
    const turnsLeft = coolDown.nextTurn();
    return turnsLeft > 0 ? { kind: 'cooling-down', turnsLeft } : run(asked, thresholdRatio);
  }

  /**
   * Does not repeat a strategy that failed in this gate run, as `earlier` says. Asks a model at most once per gate run,
   * and not during a pause.
   */
  async function atLimit(
    asked: CompressionRun,
    { thresholdRatio, earlier }: { thresholdRatio: number; earlier: CompressionOutcome | undefined },
  ): Promise<CompressionOutcome> {
    if (earlier?.kind === 'failed') return earlier;
    if (!asked.strategy.requiresLLM) return run(asked, thresholdRatio);
    return earlier && earlier.kind !== 'not-needed' ? earlier : unlessPaused(asked, thresholdRatio);
  }

  return { run, unlessPaused, atLimit };
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
