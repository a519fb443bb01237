/** How much content the turn loop added, and how much of it an optimiser has seen. */
export class ContentVersion {
  added = 0;
  #optimized = -1;

  /** Whether content was added since the version that was optimised last. */
  get isDirty(): boolean {
    return this.#optimized < this.added;
  }

  markOptimized(version: number): void {
    this.#optimized = Math.max(this.#optimized, version);
  }
}
