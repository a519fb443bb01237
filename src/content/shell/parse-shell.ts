import type { ShellCommand, ShellWord } from './shell-command.ts';

/** Words that open or close a compound command in the position of a command name. */
const COMPOUND = new Set(
  '! [[ { } if then elif else fi for while until do done case esac function select coproc'.split(' '),
);

/** An unquoted character that starts a glob, an expansion or a home directory. */
const NOT_LITERAL = /[*?[\]{}$~]/;

/** A run of unquoted characters without a special meaning. */
const PLAIN_RUN = /[^\s;&|<>()'"\\`*?[\]{}$~]+/y;

/** A run of characters without a special meaning in double quotes. */
const QUOTED_RUN = /[^"\\`$]+/y;

const BLANKS = /[^\S\n]+/y;

/** A character that ends a word. */
const ENDS_WORD = /[\s;&|<>()]/;

interface OpenCommand {
  words: ShellWord[];
  redirections: ShellCommand['redirections'][number][];
  hereDocument?: string;
  conditional: boolean;
  piped: boolean;
}

/**
 * The simple commands of a POSIX shell script with pipes, lists and here-documents, in order. `undefined` if the script
 * contains compound commands, subshells or substitutions: nothing is guessed. Linear.
 */
export function parseShell(script: string): readonly ShellCommand[] | undefined {
  return new ShellParser(script).parse();
}

class ShellParser {
  readonly #text: string;
  readonly #commands: ShellCommand[] = [];
  readonly #pendingDocuments: { command: OpenCommand; delimiter: string; stripTabs: boolean }[] = [];
  #at = 0;
  #isSupported = true;
  #command: OpenCommand = { words: [], redirections: [], conditional: false, piped: false };

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly ShellCommand[] | undefined {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return this.#isSupported ? this.#commands : undefined;
  }

  /** Ends the parse by moving to the end of the text, where every loop stops. */
  #giveUp(): void {
    this.#isSupported = false;
    this.#at = this.#text.length;
  }

  #step(): void {
    const text = this.#text;
    const character = text[this.#at] as string;
    if (character === '\n') {
      this.#at++;
      this.#endCommand();
      this.#readHereDocuments();
    } else if (character === '\\' && text[this.#at + 1] === '\n') this.#at += 2;
    else if (this.#take(BLANKS) !== '') return;
    else if (character === '#') {
      const end = text.indexOf('\n', this.#at);
      this.#at = end === -1 ? text.length : end;
    } else if (text.startsWith('&>', this.#at)) {
      this.#at++;
      this.#redirect();
    } else if (character === ';' || character === '&' || character === '|') this.#separate();
    else if (character === '<' || character === '>') this.#redirect();
    else if (character === '(' || character === ')') this.#giveUp();
    else this.#word();
  }

  #separate(): void {
    const text = this.#text;
    if (text.startsWith(';;', this.#at)) this.#giveUp();
    const isOr = text.startsWith('||', this.#at);
    const isDouble = isOr || text.startsWith('&&', this.#at) || text.startsWith('|&', this.#at);
    const piped = text[this.#at] === '|' && !isOr;
    const continuesChain = isDouble || piped;
    this.#at += isDouble ? 2 : 1;
    this.#endCommand({ conditional: isOr || (continuesChain && this.#command.conditional), piped });
  }

  #endCommand(next: Pick<OpenCommand, 'conditional' | 'piped'> = { conditional: false, piped: false }): void {
    const name = this.#command.words[0];
    if (name?.literal && COMPOUND.has(name.text)) this.#giveUp();
    if (name !== undefined || this.#command.redirections.length > 0) this.#commands.push(this.#command);
    this.#command = { words: [], redirections: [], ...next };
  }

  #word(): void {
    const word = this.#readWord();
    const isDescriptor = /^\d+$/.test(word.text) && /[<>]/.test(this.#text[this.#at] ?? '');
    if (!isDescriptor) this.#command.words.push(word);
  }

  #readWord(): ShellWord {
    const text = this.#text;
    let value = '';
    let literal = true;
    for (;;) {
      value += this.#take(PLAIN_RUN);
      if (this.#at >= text.length || ENDS_WORD.test(text[this.#at] as string)) break;
      const character = text[this.#at] as string;
      if (character === "'") {
        const end = text.indexOf("'", this.#at + 1);
        value += text.slice(this.#at + 1, end);
        if (end === -1) this.#giveUp();
        else this.#at = end + 1;
      } else if (character === '"') {
        const quoted = this.#readDoubleQuoted();
        value += quoted.text;
        literal &&= quoted.literal;
      } else if (character === '\\') {
        if (text[this.#at + 1] !== '\n') value += text[this.#at + 1] ?? '';
        this.#at += 2;
      } else {
        if (this.#opensSubstitution(character)) this.#giveUp();
        if (NOT_LITERAL.test(character)) literal = false;
        value += character;
        this.#at++;
      }
    }
    return { text: value, literal };
  }

  #readDoubleQuoted(): ShellWord {
    const text = this.#text;
    let value = '';
    let literal = true;
    for (this.#at++; text[this.#at] !== '"'; this.#at++) {
      value += this.#take(QUOTED_RUN);
      const character = text[this.#at];
      if (character === '"') break;
      if (character === undefined || this.#opensSubstitution(character)) {
        this.#giveUp();
        break;
      }
      if (character === '$') literal = false;
      if (character === '\\' && /["\\$`\n]/.test(text[this.#at + 1] ?? '')) {
        this.#at++;
        if (text[this.#at] !== '\n') value += text[this.#at];
      } else value += character;
    }
    this.#at++;
    return { text: value, literal };
  }

  /** Consumes and returns what `pattern`, which is sticky, matches here; '' for no match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #opensSubstitution(character: string): boolean {
    return character === '`' || (character === '$' && /[('"]/.test(this.#text[this.#at + 1] ?? ''));
  }

  #redirect(): void {
    const operator = /^(?:<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/.exec(
      this.#text.slice(this.#at, this.#at + 3),
    )?.[0] as string;
    this.#at += operator.length;
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at++;
    if (ENDS_WORD.test(this.#text[this.#at] ?? '\n')) this.#giveUp();
    const target = this.#readWord();
    if (operator === '<<' || operator === '<<-') {
      this.#pendingDocuments.push({ command: this.#command, delimiter: target.text, stripTabs: operator === '<<-' });
    } else if (operator === '<') this.#command.redirections.push({ direction: 'in', target });
    else if (operator.startsWith('>')) {
      const duplicates = operator === '>&' && /^(?:\d+|-)$/.test(target.text);
      if (!duplicates) this.#command.redirections.push({ direction: 'out', target });
    } else if (operator === '<>') this.#giveUp();
  }

  #readHereDocuments(): void {
    for (const { command, delimiter, stripTabs } of this.#pendingDocuments.splice(0)) {
      const lines: string[] = [];
      while (this.#at < this.#text.length) {
        const newline = this.#text.indexOf('\n', this.#at);
        const end = newline === -1 ? this.#text.length : newline;
        const line = this.#text.slice(this.#at, end);
        this.#at = end + 1;
        const content = stripTabs ? line.replace(/^\t+/, '') : line;
        if (content === delimiter) break;
        lines.push(content);
      }
      command.hereDocument = lines.join('\n');
    }
  }
}
