/**
 * The responses of each call: a response belongs to the latest call with its id, as the ids of a seen history say. Calls and
 * responses are added in the order of the history and removed in the opposite order, each for one look-up.
 */
export class ResponseLinks {
  /** By call: the last response that belongs to it; -1 for none. */
  readonly lastResponse: number[] = [];
  /** By response: the one before it that belongs to the same call; -1 for none. */
  readonly previousResponse: number[] = [];
  /** By response: the call that it belongs to; -1 for none. */
  readonly owner: number[] = [];
  /** By call: the call with the same id before it. */
  readonly #before: number[] = [];
  /** By id. */
  readonly #latest: number[] = [];

  addCall(id: number): void {
    const call = this.lastResponse.push(-1) - 1;
    this.#before.push(this.#latest[id] ?? -1);
    // Ids are numbers from 0 on, so that the list has no holes.
    for (let next = this.#latest.length; next < id; next++) this.#latest.push(-1);
    this.#latest[id] = call;
  }

  addResponse(id: number): void {
    const owner = this.#latest[id] ?? -1;
    const response = this.owner.push(owner) - 1;
    this.previousResponse.push(owner === -1 ? -1 : this.lastResponse[owner]!);
    if (owner !== -1) this.lastResponse[owner] = response;
  }

  /** Removes the last call, which has no response any more. */
  dropCall(id: number): void {
    this.lastResponse.pop();
    this.#latest[id] = this.#before.pop()!;
  }

  /** Removes the last response, which is after the last remaining call. */
  dropResponse(): void {
    const owner = this.owner.pop()!;
    const previous = this.previousResponse.pop()!;
    if (owner !== -1) this.lastResponse[owner] = previous;
  }
}
