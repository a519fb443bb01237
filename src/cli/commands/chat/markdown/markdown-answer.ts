import { lexer, type Token, type Tokens } from 'marked';
import type { LineStyle } from '../outcome-lines.ts';
import { blockLines, codeLine, fenceLine, listLines } from './block-lines.ts';

/** The first line of code between fences. Source: CommonMark 0.31, section 4.5. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n/;
/** A block that is longer is finished at its last line or word, so that each drawing is small. */
const LONGEST_CHARS = 8_000;

interface OpenFence {
  readonly sign: string;
  readonly language: string;
}

/**
 * An answer in Markdown that is still growing. Finished blocks, items of lists and lines of code never change again; the
 * rest is drawn again and again.
 */
export class MarkdownAnswer {
  readonly #style: () => LineStyle;
  #text = '';
  #fence: OpenFence | undefined;
  #hasLines = false;

  constructor(style: () => LineStyle) {
    this.#style = style;
  }

  /** Adds text; returns the lines for a terminal that it finished. */
  add(text: string): string[] {
    this.#text += text;
    return text.includes('\n') || this.#text.length > LONGEST_CHARS ? this.#noted(this.#finished()) : [];
  }

  /** The unfinished rest as lines for a terminal. */
  partial(): string[] {
    const style = this.#style();
    if (this.#fence) return this.#text === '' ? [] : [codeLine(this.#text, this.#fence.language, style)];
    return this.#shown(blockLines(lexer(this.#text), style));
  }

  /** Ends the answer; returns the lines of the rest. */
  end(): string[] {
    const lines = [...this.#finished(), ...this.partial()];
    this.#text = '';
    this.#fence = undefined;
    while (lines.at(-1) === '') lines.pop();
    const last = this.#noted(lines);
    this.#hasLines = false;
    return last;
  }

  /** An answer does not begin with an empty line. */
  #shown(lines: string[]): string[] {
    while (!this.#hasLines && lines[0] === '') lines.shift();
    return lines;
  }

  #noted(lines: string[]): string[] {
    const shown = this.#shown(lines);
    this.#hasLines ||= shown.length > 0;
    return shown;
  }

  #finished(): string[] {
    const lines: string[] = [];
    for (let isOpen = true; isOpen; ) {
      if (this.#fence) isOpen = this.#takeCode(this.#fence, lines);
      else isOpen = this.#takeBlocks(lines);
    }
    return lines;
  }

  /** Takes the whole lines of open code; true if its end was found. */
  #takeCode({ sign, language }: OpenFence, lines: string[]): boolean {
    for (let end = this.#text.indexOf('\n'); end !== -1; end = this.#text.indexOf('\n')) {
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      if (line.trim().length >= sign.length && line.trim().replaceAll(sign[0]!, '') === '') {
        lines.push(...fenceLine(sign, '', this.#style()));
        this.#fence = undefined;
        return true;
      }
      lines.push(codeLine(line, language, this.#style()));
    }
    return false;
  }

  /** Takes all blocks but the last, which may still grow; true if that one is code, which is taken line by line. */
  #takeBlocks(lines: string[]): boolean {
    const whole = this.#text.slice(0, this.#text.lastIndexOf('\n') + 1);
    const tokens = lexer(whole);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    const open = tokens[last];
    if (open === undefined) return false;
    this.#take(tokens.slice(0, last), lines);
    const fence = open.type === 'code' ? FENCE.exec(this.#text) : null;
    if (fence) {
      const [line, sign = '', language = ''] = fence;
      this.#text = this.#text.slice(line.length);
      this.#fence = { sign, language };
      lines.push(...fenceLine(sign, language, this.#style()));
      return true;
    }
    if (open.type === 'list') this.#takeItems(open as Tokens.List, lines);
    if (this.#text.length > LONGEST_CHARS) this.#takeLongText(lines);
    return false;
  }

  #take(tokens: readonly Token[], lines: string[]): void {
    lines.push(...blockLines(tokens, this.#style()));
    this.#text = this.#text.slice(tokens.reduce((length, { raw }) => length + raw.length, 0));
  }

  /** Takes all items of a list but its last. */
  #takeItems(list: Tokens.List, lines: string[]): void {
    const items = list.items.slice(0, -1);
    lines.push(...listLines({ ...list, items }, this.#style()));
    this.#text = this.#text.slice(items.reduce((length, { raw }) => length + raw.length, 0));
  }

  #takeLongText(lines: string[]): void {
    const end = this.#text.lastIndexOf('\n') + 1 || this.#text.lastIndexOf(' ') + 1 || this.#text.length;
    lines.push(...blockLines(lexer(this.#text.slice(0, end)), this.#style()));
    this.#text = this.#text.slice(end);
  }
}
