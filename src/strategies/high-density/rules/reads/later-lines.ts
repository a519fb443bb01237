import type { WrittenLines } from '../../lines/shown-lines.ts';
import type { FileCall } from '../file-call.ts';

/** The call that settles a line: it shows it, or removed it. */
interface Settling {
  readonly call: FileCall;
  readonly isShown: boolean;
}

/** The lines of a file by their hashes, as its later calls leave them, added from the latest call on. */
export class LaterLines {
  /** The reads that show anything, the latest first. */
  readonly reads: FileCall[] = [];
  readonly #settledBy = new Map<number, Settling>();
  #replacedBy: FileCall | undefined;

  /** True if the whole file was written, so that older lines do not matter. */
  get isReplaced(): boolean {
    return this.#replacedBy !== undefined;
  }

  addRead(call: FileCall, hashes: readonly number[]): void {
    if (hashes.length > 0) this.reads.push(call);
    const settling = { call, isShown: true };
    for (let at = 0; at < hashes.length; at++) this.#settledBy.set(hashes[at]!, settling);
  }

  addWrite(call: FileCall, { removed, shown, isWhole }: WrittenLines): void {
    this.#settle(removed, { call, isShown: false });
    this.#settle(shown, { call, isShown: true });
    if (isWhole) this.#replacedBy = call;
  }

  #settle(hashes: readonly number[], settling: Settling): void {
    for (let at = 0; at < hashes.length; at++) {
      if (!this.#settledBy.has(hashes[at]!)) this.#settledBy.set(hashes[at]!, settling);
    }
  }

  /** True if a line is shown later, or is no longer in the file. */
  settles(hash: number): boolean {
    return this.isReplaced || this.#settledBy.has(hash);
  }

  /** The call that settles a line: the next read that shows it, else the last write that shows or removed it. */
  callThatSettles(hash: number): FileCall | undefined {
    return this.#settledBy.get(hash)?.call ?? this.#replacedBy;
  }

  countShown(hashes: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < hashes.length; at++) if (this.#settledBy.get(hashes[at]!)?.isShown) count++;
    return count;
  }
}
