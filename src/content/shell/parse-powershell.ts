import type { ShellWord } from './shell-command.ts';

/** One command of a pipeline, or a text that is piped on. */
export interface PowerShellCommand {
  /** Name, parameters and arguments in order; a list is several words with `isListed`. Empty for a text. */
  readonly words: readonly PowerShellWord[];
  readonly texts: readonly string[];
  /** Targets of `>` and `>>`. */
  readonly targets: readonly ShellWord[];
  /** It takes what the command before it prints. */
  readonly piped: boolean;
  /** It is behind `||`, so it may not have run. */
  readonly conditional: boolean;
}

export interface PowerShellWord extends ShellWord {
  readonly isQuoted: boolean;
  /** A comma is between it and the word before. */
  readonly isListed: boolean;
}

/** The commands before the first that is not understood; `isWhole` if there is none such. */
export interface PowerShellScript {
  readonly commands: readonly PowerShellCommand[];
  readonly isWhole: boolean;
}

/** Unquoted characters with which an expression begins, or a script block or a call of a value. */
const NOT_UNDERSTOOD = /[(){}&@[\]‘’“”]/;
const NOT_LITERAL = /[$*?~]/;
const PLAIN_RUN = /[^\s;|<>"'`,(){}&@[\]$*?~#‘’“”]+/y;
const BLANKS = /[^\S\n]+|`\r?\n/y;
const REDIRECTION = /(?:[1-6*])?>>?(?:&1)?/y;
const HERE_STRING = /@(["'])[ \t]*\r?\n/y;
const QUOTED_RUN = { "'": /[^'‘’]+/y, '"': /[^"“”`$]+/y } as const;
/** Words with which a script may end or jump. */
const JUMPS =
  /^(?:exit|return|throw|break|continue|if|else|for|foreach|while|do|switch|try|trap|function|param|begin)$/i;

/** Reads a PowerShell script of plain commands, pipelines, redirections and here-strings; nothing is guessed. Linear. */
export function parsePowerShell(script: string): PowerShellScript {
  return new PowerShellParser(script).parse();
}

type OpenCommand = {
  words: PowerShellWord[];
  texts: string[];
  targets: ShellWord[];
  piped: boolean;
  conditional: boolean;
};

class PowerShellParser {
  readonly #text: string;
  readonly #commands: PowerShellCommand[] = [];
  /** Commands of the statement so far: they count once all of it is understood. */
  #statement: PowerShellCommand[] = [];
  #command = emptyCommand();
  #isListed = false;
  #isWhole = true;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PowerShellScript {
    while (this.#isWhole && this.#at < this.#text.length) this.#step();
    this.#endStatement();
    return { commands: this.#commands, isWhole: this.#isWhole };
  }

  #step(): void {
    const text = this.#text;
    const character = text[this.#at]!;
    if (this.#take(BLANKS) !== '') return;
    if (character === '\n' || character === ';') {
      this.#at++;
      // A line that ends with a pipe or a comma goes on.
      if (character === '\n' && (this.#isListed || (this.#command.piped && isEmpty(this.#command)))) return;
      this.#endStatement();
    } else if (character === '#') this.#skipTo('\n', 0);
    else if (text.startsWith('<#', this.#at)) this.#skipTo('#>', 2);
    else if (text.startsWith('&&', this.#at) || text.startsWith('||', this.#at)) {
      this.#at += 2;
      const conditional = character === '|' || this.#command.conditional;
      this.#endStatement();
      this.#command = { ...emptyCommand(), conditional };
    } else if (character === '|') {
      this.#at++;
      const { conditional } = this.#command;
      this.#endCommand();
      this.#command = { ...emptyCommand(), piped: true, conditional };
    } else if (character === ',') {
      this.#at++;
      if (this.#command.words.length < 2) this.#giveUp();
      this.#isListed = true;
    } else this.#redirectOrWord();
  }

  #redirectOrWord(): void {
    const operator = this.#take(REDIRECTION);
    if (operator === '') this.#word();
    else if (!operator.endsWith('&1')) {
      while (this.#take(BLANKS) !== '');
      const target = this.#readWord();
      if (target.text === '') this.#giveUp();
      else if (target.text.toLowerCase() !== '$null') this.#command.targets.push(target);
    }
  }

  #word(): void {
    HERE_STRING.lastIndex = this.#at;
    const isFirst = isEmpty(this.#command);
    const hereString = HERE_STRING.exec(this.#text);
    const word = hereString === null ? this.#readWord() : this.#readHereString(hereString);
    if (isFirst && !word.isQuoted && (JUMPS.test(word.text) || !word.literal)) this.#giveUp();
    if (isFirst && word.isQuoted) this.#command.texts.push(word.text);
    else if (this.#command.texts.length > 0) this.#giveUp();
    else this.#command.words.push({ ...word, isListed: this.#isListed });
    this.#isListed = false;
  }

  #readHereString([opening, quote]: RegExpExecArray): PowerShellWord {
    const start = this.#at + opening.length;
    const end = this.#text.indexOf(`\n${quote}@`, start - 1);
    if (end === -1) this.#giveUp();
    const text = end === -1 ? '' : this.#text.slice(start, Math.max(start, end));
    if (this.#isWhole) this.#at = end + 3;
    if (quote === '"' && text.includes('$(')) this.#giveUp();
    return { text, literal: quote === "'" || !/[$`]/.test(text), isQuoted: true, isListed: false };
  }

  #readWord(): PowerShellWord {
    const text = this.#text;
    const start = this.#at;
    let value = '';
    let literal = true;
    while (this.#at < text.length && !/[\s;|<>,]/.test(text[this.#at]!)) {
      value += this.#take(PLAIN_RUN);
      const character = text[this.#at];
      if (character === undefined || /[\s;|<>,]/.test(character)) break;
      if (character === "'" || character === '"') {
        const quoted = this.#readQuoted(character);
        value += quoted.text;
        literal &&= quoted.literal;
      } else if (character === '`') {
        value += text[this.#at + 1] ?? '';
        literal = false;
        this.#at += 2;
      } else {
        if (NOT_UNDERSTOOD.test(character) || (character === '$' && text[this.#at + 1] === '(')) this.#giveUp();
        if (NOT_LITERAL.test(character)) literal = false;
        value += character;
        this.#at++;
      }
    }
    if (this.#at === start) this.#giveUp();
    return { text: value, literal, isQuoted: /["']/.test(text[start] ?? ''), isListed: false };
  }

  #readQuoted(quote: "'" | '"'): ShellWord {
    const text = this.#text;
    let value = '';
    let literal = true;
    for (this.#at++; ; ) {
      value += this.#take(QUOTED_RUN[quote]);
      const character = text[this.#at];
      // Typographic quotes are quotes to PowerShell.
      if (character === undefined || /[‘’“”]/.test(character)) this.#giveUp();
      if (!this.#isWhole) break;
      if (character === quote) {
        this.#at++;
        if (text[this.#at] !== quote) break;
      } else {
        if (character === '$' && text[this.#at + 1] === '(') this.#giveUp();
        literal = false;
      }
      value += text[this.#at] ?? '';
      // A backtick takes the next character with it.
      this.#at += character === '`' ? 2 : 1;
    }
    return { text: value, literal };
  }

  #skipTo(end: string, length: number): void {
    const found = this.#text.indexOf(end, this.#at);
    if (found === -1 && length > 0) this.#giveUp();
    this.#at = found === -1 ? this.#text.length : found + length;
  }

  #endCommand(): void {
    if (this.#isListed) this.#giveUp();
    if (!isEmpty(this.#command) || this.#command.targets.length > 0) this.#statement.push(this.#command);
    else if (this.#command.piped) this.#giveUp();
    this.#command = emptyCommand();
  }

  #endStatement(): void {
    this.#endCommand();
    if (this.#isWhole) for (const command of this.#statement) this.#commands.push(command);
    this.#statement = [];
  }

  #giveUp(): void {
    this.#isWhole = false;
    this.#at = this.#text.length;
  }

  /** Consumes and returns what `pattern`, which is sticky, matches here; '' for no match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }
}

const emptyCommand = (): OpenCommand => ({ words: [], texts: [], targets: [], piped: false, conditional: false });

const isEmpty = ({ words, texts }: PowerShellCommand): boolean => words.length === 0 && texts.length === 0;
