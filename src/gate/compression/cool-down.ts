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
