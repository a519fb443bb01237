import type { Screen } from '../../terminal/terminal.ts';

const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 30_000;

/**
 * Lines for a program that reads them through a pipe. Only a write shows that it is gone: Node cannot poll a pipe that it writes to, and an
 * empty write succeeds. So a blank is written while there is no line, first after a second, then ever less often. JSON allows blanks before a value.
 */
export class ReadPipe {
  readonly #out: Screen;
  /** Ends the blanks before a line; empty where the line may begin with them. */
  readonly #endOfBlanks: string;
  readonly #onGone: () => void;
  #quietMs = FIRST_QUIET_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Screen, { endOfBlanks, onGone }: { endOfBlanks: string; onGone: () => void }) {
    this.#out = out;
    this.#endOfBlanks = endOfBlanks;
    this.#onGone = onGone;
  }

  async print(line: string): Promise<void> {
    const hasBlanks = this.#quietMs > FIRST_QUIET_MS;
    this.#quietMs = FIRST_QUIET_MS;
    await this.#out.print(hasBlanks ? this.#endOfBlanks + line : line);
    this.#writeBlankLater();
  }

  #writeBlankLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#quietMs = Math.min(2 * this.#quietMs, LONGEST_QUIET_MS);
      this.#out.print(' ').then(() => this.#writeBlankLater(), this.#onGone);
    }, this.#quietMs).unref();
  }
}
