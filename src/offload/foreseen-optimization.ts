import type { DensityConfig } from '../strategies/contract.ts';
import type { FamilyName } from '../tokens/index.ts';
import type { ChangeLog } from './delta.ts';
import type { OptimizedOutcome, OptimizeTask } from './protocol.ts';
import type { StrategyName } from './registered-strategy.ts';
import type { Answer } from './replica-link.ts';

/** What `optimize` is asked to do, whatever the history. */
export type Optimization = Pick<OptimizeTask, 'strategy' | 'vocabulary' | 'config'>;

/** An optimisation as plain data: of `config` the fields that cross. */
export function plainOptimization(name: StrategyName, config: DensityConfig): Optimization {
  const { readWritePruning, fileDedupe, recencyPruning, recencyRetention, workspaceRoot, rules } = config;
  return {
    ...name,
    config: {
      readWritePruning,
      fileDedupe,
      recencyPruning,
      recencyRetention,
      workspaceRoot,
      ...(rules && { rules: structuredClone(rules) }),
    },
  };
}

/**
 * An optimisation that the gate is about to ask for, which goes along with the counts before it and so saves a round
 * trip. Its answer counts only for the same question about the same entries.
 */
export class ForeseenOptimization {
  readonly #log: ChangeLog;
  #expected: Optimization | undefined;
  #asked: { readonly key: string; readonly structureVersion: number } | undefined;
  #answer: Answer | undefined;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** It will be asked for once the counts are in; undefined: nothing will. */
  expect(optimization: Optimization | undefined): void {
    this.#expected = optimization;
    this.#asked = undefined;
    this.#answer = undefined;
  }

  /** The task to send along with the count of all entries that are not counted yet; undefined when none is expected. */
  ask(family: FamilyName): OptimizeTask | undefined {
    if (this.#expected === undefined) return undefined;
    const task: OptimizeTask = { kind: 'optimize', ...this.#expected, family, length: this.#log.entries.length };
    this.#asked = { key: keyOf(task), structureVersion: this.#log.structureVersion };
    return task;
  }

  /** What came of the task that was asked last, by the request `sequence`. */
  note(outcome: OptimizedOutcome, sequence: number): void {
    this.#answer = { outcome, parts: outcome.parts, sequence };
  }

  /** The answer to `task` now, if it is there; nothing is expected after that. */
  take(task: OptimizeTask): Answer | undefined {
    const [asked, answer] = [this.#asked, this.#answer];
    this.expect(undefined);
    const isSame = asked?.structureVersion === this.#log.structureVersion && asked.key === keyOf(task);
    return isSame ? answer : undefined;
  }
}

const keyOf = (task: OptimizeTask): string => JSON.stringify(task);
