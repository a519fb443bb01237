const START_SLOTS = 1 << 12;
/** Spreads marks whose low bits are alike. Source: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/**
 * Gives each mark of a session a number, from 0 on, always the same, so that what is known of marks stands in columns:
 * a look-up in a `Map` of them takes ten times as long.
 */
export class MarkNumbers {
  #size = 0;
  /** Twice as many as marks, so that probing stays short; a slot is free where its number is 0. */
  #marks = new Int32Array(START_SLOTS);
  #numbers = new Int32Array(START_SLOTS);

  get size(): number {
    return this.#size;
  }

  of(mark: number): number {
    const slot = this.#slotOf(mark);
    const known = this.#numbers[slot]!;
    if (known !== 0) return known - 1;
    this.#marks[slot] = mark;
    this.#numbers[slot] = ++this.#size;
    if (this.#size * 2 > this.#numbers.length) this.#grow();
    return this.#size - 1;
  }

  /** The slot of a mark, or the free one that it would take. */
  #slotOf(mark: number): number {
    const marks = this.#marks;
    const numbers = this.#numbers;
    const last = numbers.length - 1;
    let slot = (Math.imul(mark, SPREAD) >>> 8) & last;
    while (numbers[slot] !== 0 && marks[slot] !== mark) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const [marks, numbers] = [this.#marks, this.#numbers];
    this.#marks = new Int32Array(numbers.length * 4);
    this.#numbers = new Int32Array(numbers.length * 4);
    for (let at = 0; at < numbers.length; at++) {
      if (numbers[at] === 0) continue;
      const slot = this.#slotOf(marks[at]!);
      this.#marks[slot] = marks[at]!;
      this.#numbers[slot] = numbers[at]!;
    }
  }
}
