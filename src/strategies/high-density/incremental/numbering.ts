/** Gives each text a number, from 0 on, always the same. */
export class Numbering {
  readonly #numbers = new Map<string, number>();
  #latestText: string | undefined;
  #latestNumber = 0;

  get size(): number {
    return this.#numbers.size;
  }

  of(text: string): number {
    // A response nearly always follows its call: asking again for the latest costs no look-up.
    if (text === this.#latestText) return this.#latestNumber;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    this.#latestText = text;
    this.#latestNumber = number;
    return number;
  }
}
