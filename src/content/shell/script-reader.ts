/** What stands where a script is not understood. */
export class NotUnderstood extends Error {}

/** Lists and objects in one another, at most. */
const DEEPEST = 20;
const BLANK = /\s+/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const PLAIN_RUN = /[^"'`\\\n$]+/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };
const CODE = /u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})/iy;

/** Reads literals of JavaScript from a text; anything else throws `NotUnderstood`. Linear. */
export class ScriptReader {
  readonly #text: string;
  /** Values of constants by name. */
  readonly #constants = new Map<string, unknown>();
  #at = 0;
  /** Characters that constants may add to the text, so that no script grows without end. */
  #spareChars: number;

  constructor(text: string) {
    this.#text = text;
    this.#spareChars = text.length;
  }

  get isAtEnd(): boolean {
    this.#blank();
    return this.#at >= this.#text.length;
  }

  define(name: string, value: unknown): void {
    if (name === 'tools' || this.#constants.has(name)) throw new NotUnderstood();
    this.#constants.set(name, value);
  }

  /** The next name, without moving on. */
  peekWord(): string {
    this.#blank();
    const start = this.#at;
    const word = this.#take(WORD);
    this.#at = start;
    return word;
  }

  word(): string {
    this.#blank();
    const word = this.#take(WORD);
    if (word === '') throw new NotUnderstood();
    return word;
  }

  /** Moves past `token` if it is next. */
  accepts(token: string): boolean {
    this.#blank();
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accepts(token)) throw new NotUnderstood();
  }

  /** A string, number, list, object, or a constant that is a string. */
  value(depth = 0): unknown {
    if (depth > DEEPEST) throw new NotUnderstood();
    this.#blank();
    const character = this.#text[this.#at] ?? '';
    if (character === '[') return this.#list(depth);
    if (character === '{') return this.#object(depth);
    if (/["'`]/.test(character)) return this.#string();
    const number = this.#take(NUMBER);
    return number === '' ? this.#named(this.word()) : Number(number.replaceAll('_', ''));
  }

  /** Moves past the parenthesis that ends what is open. What is before it calls no tool. */
  skipToParenthesis(): void {
    for (let depth = 1; depth > 0; ) {
      this.#blank();
      const character = this.#text[this.#at] ?? '';
      if (/["']/.test(character)) this.#string();
      else if (character === '`') this.#template();
      else if (/[A-Za-z_$]/.test(character)) refuseWord(this.word());
      else {
        // A regular expression may contain quotes.
        if (character === '' || character === '/' || character === '\\') throw new NotUnderstood();
        if (/[([{]/.test(character)) depth++;
        if (/[)\]}]/.test(character)) depth--;
        this.#at++;
      }
    }
  }

  #list(depth: number): unknown {
    const values: unknown[] = [];
    this.expect('[');
    while (!this.accepts(']')) {
      values.push(this.value(depth + 1));
      if (!this.accepts(',')) {
        this.expect(']');
        break;
      }
    }
    if (!this.accepts('.')) return values;
    this.expect('join');
    this.expect('(');
    const separator = this.value(depth + 1);
    this.expect(')');
    if (typeof separator !== 'string' || !values.every((value) => typeof value === 'string')) throw new NotUnderstood();
    this.#spend(separator.length * values.length);
    return values.join(separator);
  }

  #spend(chars: number): void {
    this.#spareChars -= chars;
    if (this.#spareChars < 0) throw new NotUnderstood();
  }

  #object(depth: number): Record<string, unknown> {
    const fields: [string, unknown][] = [];
    this.expect('{');
    while (!this.accepts('}')) {
      this.#blank();
      const isQuoted = /["']/.test(this.#text[this.#at] ?? '');
      const key = isQuoted ? this.#string() : this.word();
      if (this.accepts(':')) fields.push([key, this.value(depth + 1)]);
      else if (isQuoted) throw new NotUnderstood();
      else fields.push([key, this.#named(key)]);
      if (!this.accepts(',')) {
        this.expect('}');
        break;
      }
    }
    return Object.fromEntries(fields);
  }

  #named(name: string): unknown {
    if (name === 'true' || name === 'false') return name === 'true';
    if (name === 'null' || name === 'undefined') return undefined;
    if (name === 'String' && this.accepts('.raw')) return this.#raw();
    const value = this.#constants.get(name);
    if (typeof value !== 'string') throw new NotUnderstood();
    this.#spend(value.length);
    return value;
  }

  #string(): string {
    const text = this.#text;
    const quote = text[this.#at++]!;
    let value = '';
    for (;;) {
      value += this.#take(PLAIN_RUN);
      const character = text[this.#at];
      if (character === undefined || (character === '\n' && quote !== '`')) throw new NotUnderstood();
      if (character === '$' && quote === '`' && text[this.#at + 1] === '{') throw new NotUnderstood();
      this.#at++;
      if (character === quote) return value;
      value += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    CODE.lastIndex = this.#at;
    const [all, ...digits] = CODE.exec(this.#text) ?? [];
    if (all !== undefined) {
      this.#at += all.length;
      const code = Number.parseInt(digits.find((one) => one !== undefined)!, 16);
      if (code > 0x10ffff) throw new NotUnderstood();
      return String.fromCodePoint(code);
    }
    const character = this.#text[this.#at++];
    if (character === undefined || /[ux1-9]/.test(character)) throw new NotUnderstood();
    return character === '\n' ? '' : (ESCAPES[character] ?? character);
  }

  /** A template whose backslashes are text. */
  #raw(): string {
    if (this.#text[this.#at] !== '`') throw new NotUnderstood();
    const end = this.#text.indexOf('`', this.#at + 1);
    const value = this.#text.slice(this.#at + 1, end);
    if (end === -1 || value.includes('${') || value.endsWith('\\')) throw new NotUnderstood();
    this.#at = end + 1;
    return value;
  }

  /** A template with plain expressions in it, which call no tool. */
  #template(): void {
    const end = this.#text.indexOf('`', this.#at + 1);
    const value = this.#text.slice(this.#at + 1, end);
    if (end === -1 || /\\|\b(?:tools|await|eval)\b/.test(value)) throw new NotUnderstood();
    this.#at = end + 1;
  }

  /** Moves past blanks and comments. */
  #blank(): void {
    for (;;) {
      this.#take(BLANK);
      const isLine = this.#text.startsWith('//', this.#at);
      if (!isLine && !this.#text.startsWith('/*', this.#at)) return;
      const end = this.#text.indexOf(isLine ? '\n' : '*/', this.#at + 2);
      this.#at = end === -1 ? this.#text.length : end + (isLine ? 1 : 2);
    }
  }

  /** Moves past what `pattern`, which is sticky, matches here, and returns it; '' for no match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }
}

function refuseWord(word: string): void {
  if (/^(?:tools|await|eval|Function|import|require|globalThis|function)$/.test(word)) throw new NotUnderstood();
}
