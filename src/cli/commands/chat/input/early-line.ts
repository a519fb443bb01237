import type { ReadStream, WriteStream } from 'node:tty';
import { widthOf } from '../../../terminal/columns.ts';
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
export interface EarlyLine {
  /**
   * Removes the line and returns what was typed; empty after the first call. The terminal remains in raw mode and continues
   * to mark pasted text, so that no key is lost until the screen reads the keyboard.
   */
  close(): TypedAhead;
  /** Closes the line and restores the terminal. */
  end(): void;
}

/** Draws the line and reads the keyboard until it is closed. Both streams are terminals. */
export function openEarlyLine(input: ReadStream, output: WriteStream): EarlyLine {
  let line = EMPTY_LINE;
  let rest = '';
  let isOpen = true;
  /** A wrapped line cannot be drawn over. */
  const hasRoomFor = (key: string): boolean => widthOf(PROMPT + line.text + key) < (output.columns || 80);
  const read = (): void => {
    for (let keys: unknown = input.read(); typeof keys === 'string'; keys = input.read()) type(keys);
  };
  const close = (): TypedAhead => {
    if (!isOpen) return NOTHING;
    isOpen = false;
    read();
    input.off('readable', read);
    output.write(redrawn(''));
    return { text: line.text, rest };
  };
  const end = (): void => {
    close();
    input.setRawMode(false);
    output.write(BRACKETED_PASTE.off);
    // Otherwise the keyboard keeps a process alive that failed to start.
    input.unref();
  };
  const type = (keys: string): void => {
    for (const key of keys) {
      if (key === INTERRUPT) {
        end();
        // Raw mode has turned off the terminal's own handling.
        process.kill(process.pid, 'SIGINT');
      } else if (rest !== '') rest += key;
      else if (BACKSPACES.includes(key)) line = edited(line, { kind: 'backspace' });
      else if (key === CLEAR_LINE) line = EMPTY_LINE;
      else if (/\p{Cc}/u.test(key) || !hasRoomFor(key)) rest += key;
      else line = edited(line, { kind: 'insert', text: key });
    }
    if (isOpen) output.write(redrawn(PROMPT + line.text));
  };
  input.ref();
  input.setEncoding('utf8');
  input.setRawMode(true);
  input.on('readable', read);
  output.write(BRACKETED_PASTE.on + PROMPT);
  return { close, end };
}
