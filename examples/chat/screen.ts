import { createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/** Text of a model must not control the terminal. */
const shown = (text: string): string => stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');

/** Lines that a person types below the text that is printed. Typed keys are echoed whenever the event loop turns. */
export class Screen {
  readonly lines: Interface;
  readonly isLive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  #isOpen = true;
  #prompt = '';
  #part = '';

  constructor() {
    this.lines = createInterface({ input: process.stdin, output: process.stdout, terminal: this.isLive });
    this.lines.on('close', () => {
      this.#isOpen = false;
    });
    // The next line is typed while this one runs.
    if (this.isLive) this.lines.on('line', () => this.lines.prompt());
  }

  /** What stands before the typed line. */
  setPrompt(prompt: string): void {
    if (!this.isLive || !this.#isOpen || prompt === this.#prompt) return;
    this.#prompt = prompt;
    this.lines.setPrompt(prompt);
    this.#above('');
  }

  /** Whole lines. */
  print(text: string): void {
    this.#above(`${shown(text)}\n`);
  }

  /** A part of an answer: its whole lines are printed, and the rest waits for the next part. */
  add(part: string): void {
    const [rest = '', ...whole] = (this.#part + part).split('\n').toReversed();
    this.#part = rest;
    if (whole.length > 0) this.print(whole.toReversed().join('\n'));
  }

  /** Prints the rest of an answer. */
  endAnswer(): void {
    if (this.#part !== '') this.print(this.#part);
    this.#part = '';
  }

  /** Writes above the typed line, which is drawn again below. */
  #above(text: string): void {
    if (!this.isLive || !this.#isOpen) {
      process.stdout.write(text);
      return;
    }
    moveCursor(process.stdout, 0, -this.lines.getCursorPos().rows);
    cursorTo(process.stdout, 0);
    process.stdout.write(`\u001b[J${text}`);
    this.lines.prompt(true);
  }
}
