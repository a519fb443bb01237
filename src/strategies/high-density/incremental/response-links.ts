/**
 * The responses of each call, by the rule of `pairCalls`: a response answers the nearest earlier unanswered
 * call with its id; a further one belongs to the nearest earlier call with it. Calls and responses are added in the order
 * of the history and removed in the opposite order, each for one look-up. Source: docs/readings.md, row 7.
 */
export class ResponseLinks {
  /** By call: the last response that belongs to it; -1 for none. */
  readonly lastResponse: number[] = [];
  /** By response: the one before it that belongs to the same call; -1 for none. */
  readonly previousResponse: number[] = [];
  /** By response: the call that it belongs to; -1 for none. */
  readonly owner: number[] = [];
  /** By call: the unanswered call and the latest call with the same id before it. */
  readonly #unansweredBefore: number[] = [];
  readonly #latestBefore: number[] = [];
  /** By id. */
  readonly #unanswered: number[] = [];
  readonly #latest: number[] = [];

  addCall(id: number): void {
    const call = this.lastResponse.push(-1) - 1;
    this.#unansweredBefore.push(this.#unanswered[id] ?? -1);
    this.#latestBefore.push(this.#latest[id] ?? -1);
    this.#setLatest(id, call, call);
  }

  addResponse(id: number): void {
    const open = this.#unanswered[id] ?? -1;
    const owner = open === -1 ? (this.#latest[id] ?? -1) : open;
    const response = this.owner.push(owner) - 1;
    this.previousResponse.push(owner === -1 ? -1 : this.lastResponse[owner]!);
    if (owner !== -1) this.lastResponse[owner] = response;
    if (open !== -1) this.#unanswered[id] = this.#unansweredBefore[open]!;
  }

  /** Removes the last call, which has no response any more. */
  dropCall(id: number): void {
    this.lastResponse.pop();
    this.#setLatest(id, this.#unansweredBefore.pop()!, this.#latestBefore.pop()!);
  }

  /** Removes the last response, which is after the last remaining call. */
  dropResponse(id: number): void {
    const [owner, previous] = [this.owner.pop()!, this.previousResponse.pop()!];
    if (owner === -1) return;
    this.lastResponse[owner] = previous;
    // The first response to a call is the one that answered it.
    if (previous === -1) this.#unanswered[id] = owner;
  }

  /** Ids are numbers from 0 on, so that no list has holes. */
  #setLatest(id: number, unanswered: number, latest: number): void {
    for (let next = this.#latest.length; next < id; next++) {
      this.#unanswered.push(-1);
      this.#latest.push(-1);
    }
    this.#unanswered[id] = unanswered;
    this.#latest[id] = latest;
  }
}
