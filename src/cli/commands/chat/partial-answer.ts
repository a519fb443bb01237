/** A longer unfinished line is split, so that each redraw is small. */
const LONGEST_CHARS = 1_000;

/** An answer that is still growing: whole lines are finished, the last one is drawn again and again. */
export class PartialAnswer {
  #text = '';

  /** The unfinished line. */
  get text(): string {
    return this.#text;
  }

  /** Adds text; returns the lines that it finished, `undefined` if none. */
  add(text: string): string | undefined {
    this.#text += text;
    const end = this.#text.lastIndexOf('\n');
    const cut = end === -1 && this.#text.length > LONGEST_CHARS ? this.#text.lastIndexOf(' ') : end;
    if (cut <= 0) return undefined;
    const finished = this.#text.slice(0, cut);
    this.#text = this.#text.slice(cut + 1);
    return finished;
  }

  /** Ends the answer; returns the rest without trailing blanks. */
  end(): string {
    const rest = this.#text.trimEnd();
    this.#text = '';
    return rest;
  }
}
