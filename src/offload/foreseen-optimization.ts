import type { CompressionStrategy, DensityConfig } from '../strategies/contract.ts';
import type { FamilyName } from '../tokens/index.ts';
import type { OptimizedOutcome, OptimizeTask } from './protocol.ts';
import { registeredName, type StrategyName } from './registered-strategy.ts';
import type { Answer } from './replica-link.ts';
import type { ChangeLog } from './transfer/delta.ts';

/** What is optimised, and for which tokenizer what comes of it is counted. */
export interface Optimization {
  readonly name: StrategyName;
  readonly config: DensityConfig;
  readonly family: FamilyName;
  readonly length: number;
}

/** An optimisation as plain data: of `config` the fields that cross. */
export function optimizeTask({ name, config, family, length }: Optimization): OptimizeTask {
  const { readWritePruning, fileDedupe, recencyPruning, recencyRetention, workspaceRoot, rules } = config;
  return {
    kind: 'optimize',
    ...name,
    config: {
      readWritePruning,
      fileDedupe,
      recencyPruning,
      recencyRetention,
      workspaceRoot,
      ...(rules && { rules: structuredClone(rules) }),
    },
    family,
    length,
  };
}

interface Question {
  readonly strategy: CompressionStrategy;
  readonly config: DensityConfig;
}

/**
 * An optimisation that the gate is about to ask for, which goes along with the counts before it and so saves a round
 * trip. Its answer counts only for the same question about the same entries.
 */
export class ForeseenOptimization {
  readonly #log: ChangeLog;
  #expected: Question | undefined;
  #asked: { readonly family: FamilyName; readonly length: number; readonly structureVersion: number } | undefined;
  #answer: Answer | undefined;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** It will be asked for once the counts are in. */
  expect(strategy: CompressionStrategy, config: DensityConfig): void {
    this.#expected = { strategy, config };
    this.#asked = undefined;
    this.#answer = undefined;
  }

  /** The task to send along with the count of all entries that are not counted yet; undefined when none is expected. */
  ask(family: FamilyName): OptimizeTask | undefined {
    const name = this.#expected && registeredName(this.#expected.strategy);
    if (this.#expected === undefined || name === undefined) return undefined;
    const { length } = this.#log.entries;
    this.#asked = { family, length, structureVersion: this.#log.structureVersion };
    return optimizeTask({ name, config: this.#expected.config, family, length });
  }

  /** What came of the task that was asked last, by the request `sequence`. */
  note(outcome: OptimizedOutcome, sequence: number): void {
    this.#answer = { outcome, parts: outcome.parts, sequence };
  }

  /** The answer to the same question, the very objects, about the history as it is now, if it is there; nothing is expected after that. */
  take({ strategy, config }: Question, family: FamilyName): Answer | undefined {
    const [expected, asked, answer] = [this.#expected, this.#asked, this.#answer];
    this.#expected = undefined;
    this.#asked = undefined;
    this.#answer = undefined;
    const isSameQuestion = expected?.strategy === strategy && expected.config === config;
    const isSameHistory =
      asked?.structureVersion === this.#log.structureVersion && asked.length === this.#log.entries.length;
    return isSameQuestion && isSameHistory && asked.family === family ? answer : undefined;
  }
}
