import { counted } from '../../../../report/figures.ts';

const MAX_LINES = 10;
const MAX_CHARS = 1_000;
/** Each folded paste is one private character of the line, so that keys treat it as one. Source: Unicode, plane 16. */
const FIRST_CHARACTER = 0x10f000;

/** Long pasted texts, shown as one word and sent whole. */
export class FoldedPastes {
  readonly #texts = new Map<string, string>();
  readonly #labels = new Map<string, string>();

  /** The text as it is put into the line: a short one as it is, a long one as one character. */
  fold(text: string): string {
    const lines = text.replace(/\n$/, '').split('\n').length;
    if (lines <= MAX_LINES && text.length <= MAX_CHARS) return text;
    const character = String.fromCodePoint(FIRST_CHARACTER + this.#texts.size);
    const size = lines > 1 ? counted(lines, 'line') : counted(text.length, 'character');
    const isTaken = [...this.#labels.values()].includes(`[pasted ${size}]`);
    this.#texts.set(character, text);
    this.#labels.set(character, `[pasted ${size}${isTaken ? `, no. ${this.#texts.size}` : ''}]`);
    return character;
  }

  /** The line with `[pasted 120 lines]` for each folded text. */
  readonly shown = (line: string): string => replaced(line, this.#labels);

  /** The line with all pasted text. */
  readonly whole = (line: string): string => replaced(line, this.#texts);
}

const replaced = (line: string, by: ReadonlyMap<string, string>): string =>
  by.size === 0 ? line : [...line].map((character) => by.get(character) ?? character).join('');
