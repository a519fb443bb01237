/** Durations or other samples, read by rank. */
export class Samples {
  readonly #values: number[] = [];
  #isSorted = true;

  add(value: number): void {
    this.#values.push(value);
    this.#isSorted = false;
  }

  get count(): number {
    return this.#values.length;
  }

  /** The smallest sample that at least `share` (0-1) of all samples do not exceed; 0 when there is none. */
  percentile(share: number): number {
    if (!this.#isSorted) this.#values.sort((one, other) => one - other);
    this.#isSorted = true;
    const rank = Math.ceil(share * this.#values.length) - 1;
    return this.#values[Math.max(0, rank)] ?? 0;
  }

  max(): number {
    return this.percentile(1);
  }
}
