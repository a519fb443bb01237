import { counted } from '../../content/counted.ts';
import { cutText } from '../../content/lines/one-line.ts';

/** The longest result of one call, in UTF-16 units: about 10,000 tokens. */
const LONGEST_CHARS = 40_000;
const HALF_CHARS = LONGEST_CHARS / 2;

/** Cuts the end of a long text and says how much is missing. `hint`: how to get the rest. */
export function cutOutput(text: string, hint: string): string {
  if (text.length <= LONGEST_CHARS) return text;
  const kept = cutText(text, LONGEST_CHARS);
  return `${kept}\n[cut: ${counted(text.length - kept.length, 'more character')}. ${hint}]`;
}

/** The start and the end of a text of any length that comes in parts: the last lines of a command matter as much as its first ones. */
export class CutMiddle {
  #head = '';
  #tail = '';
  #length = 0;

  add(part: string): void {
    this.#length += part.length;
    const room = HALF_CHARS - this.#head.length;
    this.#head += part.slice(0, room);
    this.#tail += part.slice(room);
    // Cut now and then, not at each part.
    if (this.#tail.length > LONGEST_CHARS) this.#tail = this.#tail.slice(-HALF_CHARS);
  }

  /** All of a short text; of a long one both ends, and how much is missing between them. */
  get text(): string {
    if (this.#length <= LONGEST_CHARS) return this.#head + this.#tail;
    const head = this.#head.replace(/[\ud800-\udbff]$/, '');
    const tail = this.#tail.slice(-HALF_CHARS).replace(/^[\udc00-\udfff]/, '');
    const missing = this.#length - head.length - tail.length;
    return `${head}\n[cut: ${counted(missing, 'character')} in the middle]\n${tail}`;
  }
}
