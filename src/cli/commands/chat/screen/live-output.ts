import { printedLines } from '../call-lines.ts';

/** More of a command's output is not kept for the screen; the model gets it. */
const MAX_CHARS = 200_000;

/** What the running command has printed. */
export class LiveOutput {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_CHARS);
  }

  clear(): void {
    this.#text = '';
  }

  /** All lines; none before the first character. */
  lines(): string[] {
    return this.#text === '' ? [] : printedLines(this.#text);
  }
}
