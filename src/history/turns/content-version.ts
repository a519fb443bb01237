/** How much content the turn loop added, and how much of it an optimiser has seen. */
export class ContentVersion {
  #added = 0;
  #optimized = -1;

  get current(): number {
    return this.#added;
  }

  /** Whether content was added since the version that was optimised last. */
  get isDirty(): boolean {
    return this.#optimized < this.#added;
  }

  rise(by = 1): void {
    this.#added += by;
  }

  markOptimized(version: number): void {
    this.#optimized = Math.max(this.#optimized, version);
  }
}
