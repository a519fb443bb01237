import type { ReadStream, WriteStream } from 'node:tty';
import { widthOf } from '../../../terminal/text-width.ts';
import { BRACKETED_PASTE } from './bracketed-paste.ts';
import { EMPTY_LINE, edited } from './line-editor.ts';

/** What was typed before there was a screen. */
export interface TypedAhead {
  /** The line as it was drawn. */
  readonly text: string;
  /** What came behind it, as the keyboard sent it: from the first key that is more than a character. */
  readonly rest: string;
}

const PROMPT = '> ';
const INTERRUPT = '\u0003';
const BACKSPACES = ['\u007f', '\b'];
const CLEAR_LINE = '\u0015';
const NOTHING: TypedAhead = { text: '', rest: '' };
/** Draws anew what stands in this line of the terminal. */
const redrawn = (text: string): string => `\r\u001b[K${text}`;

/**
 * The line to type on, there at once: the screen takes 300 ms to load. It knows characters and how to take them back;
 * every other key waits for the screen.
 */
export class EarlyLine {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #line = EMPTY_LINE;
  #rest = '';
  #isOpen = true;

  private constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  /** Draws the line and hears the keyboard, both terminals, until it is closed. */
  static open(input: ReadStream, output: WriteStream): EarlyLine {
    const line = new EarlyLine(input, output);
    input.ref();
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.on('readable', line.#hear);
    output.write(BRACKETED_PASTE.on + PROMPT);
    return line;
  }

  /**
   * Removes the line and returns what was typed, once. The terminal stays in raw mode and goes on marking pasted text, so
   * that no key is lost until the screen reads the keyboard.
   */
  close(): TypedAhead {
    if (!this.#isOpen) return NOTHING;
    this.#isOpen = false;
    this.#hear();
    this.#input.off('readable', this.#hear);
    this.#output.write(redrawn(''));
    return { text: this.#line.text, rest: this.#rest };
  }

  /** Closes the line and gives the terminal back as it was. */
  end(): void {
    this.close();
    this.#input.setRawMode(false);
    this.#output.write(BRACKETED_PASTE.off);
    // The keyboard would keep a process alive that failed to begin.
    this.#input.unref();
  }

  readonly #hear = (): void => {
    for (let keys: unknown = this.#input.read(); typeof keys === 'string'; keys = this.#input.read()) this.#type(keys);
  };

  #type(keys: string): void {
    for (const key of keys) {
      if (key === INTERRUPT) this.#interrupt();
      else if (this.#rest !== '') this.#rest += key;
      else if (BACKSPACES.includes(key)) this.#line = edited(this.#line, { kind: 'backspace' });
      else if (key === CLEAR_LINE) this.#line = EMPTY_LINE;
      else if (/\p{Cc}/u.test(key) || !this.#hasRoomFor(key)) this.#rest += key;
      else this.#line = edited(this.#line, { kind: 'insert', text: key });
    }
    if (this.#isOpen) this.#output.write(redrawn(PROMPT + this.#line.text));
  }

  /** A line that wraps could not be drawn over. */
  #hasRoomFor(key: string): boolean {
    return widthOf(PROMPT + this.#line.text + key) < (this.#output.columns || 80);
  }

  /** As the terminal would do it, were it not told to hand over every key. */
  #interrupt(): void {
    this.end();
    process.kill(process.pid, 'SIGINT');
  }
}
