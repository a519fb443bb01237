import type { ChatEvent } from '../../../../chat/chat-event.ts';
import { callLines, callTitle, printedLines } from '../call-lines.ts';
import { doneNotes } from '../gate-line.ts';
import { MarkdownAnswer } from '../markdown/markdown-answer.ts';
import type { LineStyle } from '../outcome-lines.ts';
import { shownNotice, shownText } from '../shown-text.ts';
import type { DrawnView, ScreenView } from './drawn-view.ts';

/** Lines of the terminal for everything but the unfinished answer. */
const OTHER_LINES = 10;
const MAX_OUTPUT_LINES = 6;

/** How the screen is drawn now. */
export interface ScreenStyle extends LineStyle {
  readonly rows: number;
}

/** More of a command's output is not kept for the screen; the model gets it. */
const MAX_CHARS = 200_000;

/** What is done with each kind of event. */
export type ShownBy = {
  readonly [Kind in ChatEvent['kind']]: (event: Extract<ChatEvent, { readonly kind: Kind }>) => void;
};

/** Draws what happens in a conversation. */
export class ShownEvents {
  readonly #style: () => ScreenStyle;
  readonly #drawn: () => Pick<DrawnView, 'print' | 'later' | 'set'>;
  readonly #answer: MarkdownAnswer;
  /** What the running command has printed. */
  #output = '';
  #cut: readonly string[] | undefined;

  constructor(style: () => ScreenStyle, drawn: () => Pick<DrawnView, 'print' | 'later' | 'set'>) {
    this.#style = style;
    this.#drawn = drawn;
    this.#answer = new MarkdownAnswer(style);
  }

  /** What changes all the time, for one drawing. */
  fresh(): Pick<ScreenView, 'partial' | 'output'> {
    return {
      partial: this.#answer.partial().slice(-Math.max(1, this.#style().rows - OTHER_LINES)),
      output: this.#outputLines().slice(-MAX_OUTPUT_LINES),
    };
  }

  /** All that the running command has printed, else all of the last call that was cut. */
  whole(): readonly string[] | undefined {
    const output = this.#outputLines();
    return output.length > 0 ? output : this.#cut;
  }

  readonly #shows: ShownBy = {
    part: ({ part }) =>
      part.kind === 'text'
        ? this.#addText(part.text)
        : this.#drawn().later({ activity: part.kind === 'call' ? `calling ${part.toolName}` : 'thinking' }),
    answered: () => this.endAnswer(),
    call: ({ call }) => this.#drawn().later({ activity: callTitle(call) }),
    output: ({ text }) => {
      this.#output = (this.#output + text).slice(-MAX_CHARS);
      this.#drawn().later();
    },
    result: (event) => this.#showResult(event),
    gate: ({ report }) => this.#drawn().print(doneNotes(report).map(this.#style().colors.dim)),
    notice: ({ text }) => this.#drawn().print([this.#style().colors.dim(shownNotice(text))]),
    status: () => this.#drawn().later(),
  };

  show(event: ChatEvent): void {
    (this.#shows[event.kind] as (event: ChatEvent) => void)(event);
  }

  endAnswer(): void {
    const rest = this.#answer.end();
    if (rest.length > 0) this.#drawn().print(rest);
    this.#drawn().set({ partial: [] });
  }

  /** All lines; none before the first character. */
  #outputLines(): string[] {
    return this.#output === '' ? [] : printedLines(this.#output);
  }

  #addText(text: string): void {
    const finished = this.#answer.add(shownText(text));
    if (finished.length > 0) this.#drawn().print(finished);
    this.#drawn().later({ activity: 'answering' });
  }

  #showResult(event: Extract<ChatEvent, { kind: 'result' }>): void {
    const style = this.#style();
    const { head, detail, whole } = callLines(event, { ...style, columns: style.columns - 1 });
    this.#output = '';
    if (whole) this.#cut = whole;
    this.#drawn().print([...head, ...detail]);
    this.#drawn().later({ activity: 'asking', output: [] });
  }
}
