import type { ReadStream, WriteStream } from 'node:tty';
import { widthOf } from '../../../terminal/text-width.ts';
import { BRACKETED_PASTE } from './bracketed-paste.ts';
import { EMPTY_LINE, edited } from './line-editor.ts';

/** What the user typed before the screen was loaded. */
interface TypedAhead {
  /** The drawn line. */
  readonly text: string;
  /** Raw input from the first key that is not a plain character. */
  readonly rest: string;
}

const PROMPT = '> ';
const INTERRUPT = '\u0003';
const BACKSPACES = ['\u007f', '\b'];
const CLEAR_LINE = '\u0015';
const NOTHING: TypedAhead = { text: '', rest: '' };
/** Replaces the current line of the terminal. */
const redrawn = (text: string): string => `\r\u001b[K${text}`;

/**
 * An input line that appears at once, because the screen takes 300 ms to load. It handles characters and deleting them;
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

  /** Draws the line and reads the keyboard until it is closed. Both streams are terminals. */
  static open(input: ReadStream, output: WriteStream): EarlyLine {
    const line = new EarlyLine(input, output);
    input.ref();
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.on('readable', line.#read);
    output.write(BRACKETED_PASTE.on + PROMPT);
    return line;
  }

  /**
   * Removes the line and returns what was typed; empty after the first call. The terminal remains in raw mode and continues
   * to mark pasted text, so that no key is lost until the screen reads the keyboard.
   */
  close(): TypedAhead {
    if (!this.#isOpen) return NOTHING;
    this.#isOpen = false;
    this.#read();
    this.#input.off('readable', this.#read);
    this.#output.write(redrawn(''));
    return { text: this.#line.text, rest: this.#rest };
  }

  /** Closes the line and restores the terminal. */
  end(): void {
    this.close();
    this.#input.setRawMode(false);
    this.#output.write(BRACKETED_PASTE.off);
    // Otherwise the keyboard keeps a process alive that failed to start.
    this.#input.unref();
  }

  readonly #read = (): void => {
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

  /** A wrapped line cannot be drawn over. */
  #hasRoomFor(key: string): boolean {
    return widthOf(PROMPT + this.#line.text + key) < (this.#output.columns || 80);
  }

  /** Ctrl-C: raw mode has turned off the terminal's own handling. */
  #interrupt(): void {
    this.end();
    process.kill(process.pid, 'SIGINT');
  }
}
