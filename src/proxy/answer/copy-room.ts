const MOST_BYTES = 64 * 1024 * 1024;

/** What one copy of an answer holds. */
export interface CopyPlace {
  /** Takes so many bytes in place of those before. False if there is no room for them: then it has to give them back. */
  hold(bytes: number): boolean;
}

/** Bytes that the copies of all answers hold at the same time: where agents are faster than the decoders, there are many. */
export class CopyRoom {
  readonly #mostBytes: number;
  #heldBytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  place(): CopyPlace {
    let own = 0;
    return {
      hold: (bytes) => {
        this.#heldBytes += bytes - own;
        own = bytes;
        return this.#heldBytes <= this.#mostBytes;
      },
    };
  }
}
