import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Played } from './play.ts';

/** What came of one session with one model. */
export interface Outcome extends Omit<Played, 'refusals'> {
  /** The session and the model. */
  readonly play: string;
  readonly agent: string;
  readonly model: string;
  readonly refused: number;
  /** The provider's words for the first request that is refused only with the pruner. */
  readonly refusal?: string;
}

/** The outcomes in a file of lines, to which each new one is added at once; without a file they are only remembered. */
export class Outcomes<One extends { readonly play: string }> {
  readonly #file: string | undefined;
  readonly #own = new Map<string, One>();

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** All outcomes so far, also those that other processes wrote. */
  all(): ReadonlyMap<string, One> {
    if (this.#file === undefined || !existsSync(this.#file)) return this.#own;
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line) as One).map((one) => [one.play, one]));
  }

  add(outcome: One): void {
    this.#own.set(outcome.play, outcome);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(outcome)}\n`);
  }
}
