import { createInterface, type Interface } from 'node:readline';
import type { Conversation } from '../../../../chat/conversation.ts';
import { completions } from '../../../../chat/slash/completion.ts';
import { IGNORED_MS } from './approval-choice.ts';
import { BRACKETED_PASTE } from './bracketed-paste.ts';

interface OpenQuestion {
  readonly prompt: string;
  readonly askedAt: number;
  /** True if the user began the line before the question appeared: then it is a message. */
  isLineOlder: boolean;
  readonly resolve: (line: string | undefined) => void;
}

/** The lines that the user types: messages and answers. A pasted text is one line, line ends included. */
export class TypedLines {
  /** True if standard input is a terminal. */
  readonly isAsked: boolean;
  readonly #reader: Interface;
  readonly #lines: string[] = [];
  #take: ((line: string | undefined) => void) | undefined;
  #question: OpenQuestion | undefined;
  /** The lines of a paste, except its last. */
  #pasted: string[] = [];
  #isPasting = false;
  #isClosed = false;

  constructor(chat: () => Conversation, onInterrupt: () => void) {
    this.isAsked = process.stdin.isTTY === true;
    this.#reader = createInterface({
      input: process.stdin,
      ...(this.isAsked && { output: process.stderr }),
      completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
        completions(line, chat()).then(
          ({ candidates, start }) => done(null, [[...candidates], line.slice(start)]),
          () => done(null, [[], line]),
        );
      },
    });
    if (this.isAsked) this.#markPastes();
    this.#reader.on('line', (line) => this.#add(line));
    this.#reader.on('close', () => {
      this.#isClosed = true;
      this.#take?.(undefined);
      this.#question?.resolve(undefined);
    });
    this.#reader.on('SIGINT', onInterrupt);
  }

  /** The next message; undefined at the end of the input. */
  next(prompt: string): Promise<string | undefined> {
    const line = this.#lines.shift();
    if (line !== undefined || this.#isClosed) return Promise.resolve(line);
    if (this.isAsked) this.#prompt(prompt);
    return new Promise((resolve) => {
      this.#take = (typed) => {
        this.#take = undefined;
        resolve(typed);
      };
    });
  }

  /**
   * The answer to a question; undefined at the end of the input. Only a line that was begun after the question and
   * entered at least 500 ms after it is an answer. Other lines are messages.
   */
  answer(prompt: string): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const isLineOlder = this.#reader.line !== '';
    this.#prompt(prompt);
    return new Promise((resolve) => {
      this.#question = { prompt, askedAt: performance.now(), isLineOlder, resolve };
    });
  }

  close(): void {
    if (this.isAsked) process.stderr.write(BRACKETED_PASTE.off);
    this.#reader.close();
  }

  /** Shows a prompt and keeps the text already typed. */
  #prompt(prompt: string): void {
    this.#reader.setPrompt(prompt);
    this.#reader.prompt(true);
  }

  #markPastes(): void {
    process.stderr.write(BRACKETED_PASTE.on);
    process.stdin.on('keypress', (_input: string | undefined, key: { readonly name?: string }) => {
      if (key.name === 'paste-start') this.#isPasting = true;
      if (key.name === 'paste-end') this.#isPasting = false;
    });
  }

  #add(line: string): void {
    if (this.#isPasting) {
      this.#pasted.push(line);
      return;
    }
    const text = [...this.#pasted, line].join('\n');
    this.#pasted = [];
    const question = this.#question;
    if (question) this.#answerOrKeep(question, text);
    else if (this.#take) this.#take(text);
    else this.#lines.push(text);
  }

  #answerOrKeep(question: OpenQuestion, text: string): void {
    if (!question.isLineOlder && performance.now() - question.askedAt >= IGNORED_MS) {
      this.#question = undefined;
      question.resolve(text);
      return;
    }
    question.isLineOlder = false;
    this.#lines.push(text);
    this.#prompt(question.prompt);
  }
}
