/** A part of the room that one work has taken. */
export interface Place {
  /** Gives back what is more than this. */
  shrink(bytes: number): void;
  /** Gives back all of it. May be called again. */
  leave(): void;
}

interface RoomOptions {
  readonly mostBytes: number;
  /** What one owner may take, so that no owner keeps out the others. */
  readonly mostOfOwner: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly bytes: number;
  readonly owner: string;
  readonly enter: (place: Place | undefined) => void;
}

/** Bytes that works may take at the same time. Works wait in their order until there is room. */
export class ByteRoom {
  readonly #options: RoomOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #taken = new Map<string, number>();
  #takenBytes = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Resolves when there is room; to undefined if there is none in time, or the signal is aborted before. */
  enter(bytes: number, owner: string, signal: AbortSignal): Promise<Place | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const giveUp = (): void => waiting.enter(undefined);
      const timer = setTimeout(giveUp, this.#options.waitMs);
      signal.addEventListener('abort', giveUp);
      const waiting: Waiting = {
        bytes,
        owner,
        enter: (place) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          this.#waiting.delete(waiting);
          resolve(place);
          // Requests after one that gave up may have room now.
          if (place === undefined) this.#letIn();
        },
      };
      this.#waiting.add(waiting);
      this.#letIn();
    });
  }

  #letIn(): void {
    const { mostBytes, mostOfOwner } = this.#options;
    for (const waiting of this.#waiting) {
      const { bytes, owner } = waiting;
      const own = this.#taken.get(owner) ?? 0;
      // Others need not wait for an owner that has its part. What is larger than all room enters alone.
      if (own > 0 && own + bytes > mostOfOwner) continue;
      if (this.#takenBytes > 0 && this.#takenBytes + bytes > mostBytes) return;
      waiting.enter(this.#place(bytes, owner));
    }
  }

  #place(bytes: number, owner: string): Place {
    let taken = 0;
    const take = (size: number): void => {
      const own = (this.#taken.get(owner) ?? 0) + size - taken;
      if (own > 0) this.#taken.set(owner, own);
      else this.#taken.delete(owner);
      this.#takenBytes += size - taken;
      taken = size;
    };
    take(bytes);
    const shrink = (size: number): void => {
      if (size >= taken) return;
      take(size);
      this.#letIn();
    };
    return { shrink, leave: () => shrink(0) };
  }
}
