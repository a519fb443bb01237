/** Something that is kept in memory and can be made again. */
export interface Kept {
  /** What it takes now, estimated. */
  readonly keptBytes: number;
  /** Gives back what is quickly made again. */
  release(): void;
  /** Called when it is not kept any more. */
  drop(): void;
}

interface Entry {
  readonly kept: Kept;
  bytes: number;
  isReleased: boolean;
  usedAtMs: number;
}

/**
 * The memory of a process for what it remembers, whoever it belongs to. Beyond the limit, what was used longest ago first
 * gives back what is quickly made again, then all.
 */
export class KeptMemory {
  readonly #mostBytes: number;
  readonly #now: () => number;
  /** The last used one is at the end. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(mostBytes: number, now: () => number = () => performance.now()) {
    this.#mostBytes = mostBytes;
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Notes that something was used, and what it takes now. */
  use(key: string, kept: Kept): void {
    this.forget(key);
    const { keptBytes: bytes } = kept;
    this.#entries.set(key, { kept, bytes, isReleased: false, usedAtMs: this.#now() });
    this.#bytes += bytes;
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#mostBytes) return;
      if (!entry.isReleased) this.#release(entry);
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  /** It is not kept any more. */
  forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** Drops what was not used for so long. */
  dropUnused(forMs: number): void {
    for (const [key, { usedAtMs }] of this.#entries) if (this.#now() - usedAtMs > forMs) this.#drop(key);
  }

  #release(entry: Entry): void {
    entry.kept.release();
    entry.isReleased = true;
    this.#bytes += entry.kept.keptBytes - entry.bytes;
    entry.bytes = entry.kept.keptBytes;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    this.forget(key);
    entry?.kept.drop();
  }
}
