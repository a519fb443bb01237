/**
 * Lets requests that come at once be looked at one after the other, with the other work of this thread in between: the
 * answers to other requests go on. One that comes alone does not wait.
 */
export class OneByOne {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves when it is the caller's turn. */
  async turn(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const resolve = this.#waiting.shift();
    this.#isTaken = resolve !== undefined;
    if (resolve === undefined) return;
    // Earlier callbacks run now, and this one runs after the work that has arrived meanwhile.
    setImmediate(this.#next);
    resolve();
  };
}
