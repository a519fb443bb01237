/** Numbers for texts, from 0 on, and the texts by number. Equal texts have one number. */
export class Numbering {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  #latestText: string | undefined;
  #latestNumber = 0;

  get size(): number {
    return this.#numbers.size;
  }

  of(text: string): number {
    // A result nearly always follows its call, so the latest text needs no look-up.
    if (text === this.#latestText) return this.#latestNumber;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    this.#latestText = text;
    this.#latestNumber = number;
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number]!;
  }
}
