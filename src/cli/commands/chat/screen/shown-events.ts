import type { ChatEvent } from '../../../../chat/chat-event.ts';
import { callLines, callTitle, printedLines } from '../call-lines.ts';
import { gateLine, gateNote } from '../gate-line.ts';
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

/** What the running command has printed. */
class LiveOutput {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_CHARS);
  }

  clear(): void {
    this.#text = '';
  }

  /** All lines; none before the first character. */
  lines(): string[] {
    return this.#text === '' ? [] : printedLines(this.#text);
  }
}

/** Draws what happens in a conversation. */
export class ShownEvents {
  readonly #style: () => ScreenStyle;
  readonly #drawn: () => Pick<DrawnView, 'print' | 'later' | 'set'>;
  readonly #answer: MarkdownAnswer;
  readonly #output = new LiveOutput();
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
      output: this.#output.lines().slice(-MAX_OUTPUT_LINES),
    };
  }

  /** All that the running command has printed, else all of the last call that was cut. */
  whole(): readonly string[] | undefined {
    const output = this.#output.lines();
    return output.length > 0 ? output : this.#cut;
  }

  show(event: ChatEvent): void {
    const { dim } = this.#style().colors;
    const drawn = this.#drawn();
    switch (event.kind) {
      case 'part':
        if (event.part.kind === 'text') this.#addText(event.part.text);
        else if (event.part.kind === 'call') drawn.later({ activity: `calling ${event.part.toolName}` });
        else drawn.later({ activity: 'thinking' });
        return;
      case 'answered':
        this.endAnswer();
        return;
      case 'call':
        drawn.later({ activity: callTitle(event.call) });
        return;
      case 'output':
        this.#output.add(event.text);
        drawn.later();
        return;
      case 'result':
        this.#showResult(event);
        return;
      case 'gate': {
        const done = gateLine(event.report) && gateNote(event.report);
        if (done !== undefined) drawn.print([dim(done)]);
        return;
      }
      case 'notice':
        drawn.print([dim(shownNotice(event.text))]);
        return;
      case 'status':
        drawn.later();
    }
  }

  endAnswer(): void {
    const rest = this.#answer.end();
    if (rest.length > 0) this.#drawn().print(rest);
    this.#drawn().set({ partial: [] });
  }

  #addText(text: string): void {
    const finished = this.#answer.add(shownText(text));
    if (finished.length > 0) this.#drawn().print(finished);
    this.#drawn().later({ activity: 'answering' });
  }

  #showResult(event: Extract<ChatEvent, { kind: 'result' }>): void {
    const style = this.#style();
    const { head, detail, whole } = callLines(event, { ...style, columns: style.columns - 1 });
    this.#output.clear();
    if (whole) this.#cut = whole;
    this.#drawn().print([...head, ...detail]);
    this.#drawn().later({ activity: 'asking', output: [] });
  }
}
