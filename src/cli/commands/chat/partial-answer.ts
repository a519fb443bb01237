/** An unfinished line that is longer goes to the finished ones, so that what is drawn again stays small. */
const LONGEST_CHARS = 1_000;

/** An answer that is being written: whole lines are finished, the last one is drawn again as it grows. */
export class PartialAnswer {
  #text = '';

  /** The unfinished line. */
  get text(): string {
    return this.#text;
  }

  /** Takes up more of it; what that finished, `undefined` where it finished nothing. */
  add(text: string): string | undefined {
    this.#text += text;
    const end = this.#text.lastIndexOf('\n');
    const cut = end === -1 && this.#text.length > LONGEST_CHARS ? this.#text.lastIndexOf(' ') : end;
    if (cut <= 0) return undefined;
    const finished = this.#text.slice(0, cut);
    this.#text = this.#text.slice(cut + 1);
    return finished;
  }

  /** Finishes it; what was left, without blanks at its end. */
  end(): string {
    const rest = this.#text.trimEnd();
    this.#text = '';
    return rest;
  }
}
