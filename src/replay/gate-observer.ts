import type { IContent } from '../content/content.ts';
import type { CompressionOutcome, DensityOutcome, GateReport } from '../gate/report.ts';
import type { TranscriptSink } from '../gate/transcript.ts';
import type { DensityResultMetadata } from '../strategies/contract.ts';
import type { RemovalAccount } from '../strategies/removal.ts';

/** A step of a gate run that took something away. */
export type RemovingStep =
  | { readonly kind: 'optimized'; readonly metadata: DensityResultMetadata }
  | { readonly kind: 'compressed' };

/** A removing step, and the history as it found and as it left it. */
export interface SeenStep {
  readonly kind: RemovingStep['kind'];
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
}

/** Those of these outcomes that took something away, as steps in their order. */
export function removingSteps(
  ...outcomes: readonly (DensityOutcome | CompressionOutcome | undefined)[]
): RemovingStep[] {
  return outcomes.flatMap((outcome): RemovingStep[] => {
    if (outcome?.kind === 'applied') return [{ kind: 'optimized', metadata: outcome.metadata }];
    return outcome?.kind === 'compressed' ? [{ kind: 'compressed' }] : [];
  });
}

/** The removing steps of a whole gate run, in the order in which they ran. */
export function stepsOfReport({ density, compression, enforcement }: GateReport): RemovingStep[] {
  const steps = removingSteps(density, compression);
  if (enforcement.kind !== 'enforced') return steps;
  steps.push(...removingSteps(enforcement.density, enforcement.compression));
  if (enforcement.lastResort) steps.push({ kind: 'compressed' });
  return steps;
}

/**
 * Sees the history between the steps of a gate run. The gate hands every step's entries to the transcript before it
 * takes them away: at that moment the history is as the step found it.
 */
export class GateObserver {
  readonly #history: () => readonly IContent[];
  readonly #account: RemovalAccount;
  #states: IContent[][] = [];

  /** To be given to the gate. Nothing is kept here: the session still has everything in its file. */
  readonly transcript: TranscriptSink;

  /** `transcriptPath` is where what was taken away will stand; summaries name it. */
  constructor(history: () => readonly IContent[], account: RemovalAccount, transcriptPath?: string) {
    this.#history = history;
    this.#account = account;
    this.transcript = {
      ...(transcriptPath !== undefined && { path: transcriptPath }),
      append: async () => {
        this.#states.push([...this.#history()]);
      },
    };
  }

  /**
   * Books what these steps, all since the last time, took away. A step that is not among them, because its run ended in
   * an error, is booked as a compression. `onStep` hears of each. Linear in entries when there was any step.
   */
  book(steps: readonly RemovingStep[], onStep?: (step: SeenStep) => void): void {
    const states = [...this.#states, this.#history()];
    this.#states = [];
    for (let index = 0; index + 1 < states.length; index++) {
      const [before, after] = [states[index]!, states[index + 1]!];
      const step = steps[index];
      if (step?.kind === 'optimized') this.#account.addOptimization(before, after, step.metadata);
      else this.#account.addCompression(before, after);
      onStep?.({ kind: step?.kind ?? 'compressed', before, after });
    }
  }
}
