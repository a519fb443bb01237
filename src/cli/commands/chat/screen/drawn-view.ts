import type { Approval, ApprovalRequest } from '../../../../chat/chat-event.ts';
import { type EditedLine, EMPTY_LINE } from '../input/line-editor.ts';
import type { StatusLine } from '../status-line.ts';

/** Finished lines, which scroll away. */
interface PrintedItem {
  readonly id: number;
  readonly text: string;
}

/** Everything that the screen shows now. */
export interface ScreenView {
  readonly printed: readonly PrintedItem[];
  /** The unfinished end of an answer. */
  readonly partial: readonly string[];
  /** The last lines of the running command. */
  readonly output: readonly string[];
  /** What the chat is doing; undefined while it waits for input. */
  readonly activity: string | undefined;
  readonly line: EditedLine;
  readonly candidates: readonly string[];
  /** The chosen command of the menu, counted from 0. */
  readonly menuAt: number;
  readonly approval: ApprovalRequest | undefined;
  /** What the question is about, in lines. */
  readonly detail: readonly string[];
  /** The answer that Enter would confirm. */
  readonly choice: Approval | undefined;
  /** Lines to send after this turn. */
  readonly queued: readonly string[];
  readonly status: StatusLine;
  /** What the provider reported for the last call; '' if nothing. */
  readonly usage: string;
  readonly hint: string;
  readonly hasEnded: boolean;
}

/** Events that are not keys are drawn 25 times a second at most: threads send thousands of them. */
const DRAW_EVERY_MS = 40;
/** Finished lines of about this length are drawn together; keys are read before the next drawing. Source: bench/terminal. */
const PRINTED_AT_ONCE_CHARS = 2_000;

/** What the screen shows, and when it is drawn. */
export class DrawnView {
  readonly #fresh: () => Partial<ScreenView>;
  readonly #listeners = new Set<() => void>();
  #view: ScreenView;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  /** Finished lines that are not drawn yet, each short enough for one drawing. */
  #unprinted: string[] = [];
  #nextId = 0;

  /** `fresh` returns what changes all the time; it is called at each delayed drawing. */
  constructor(status: StatusLine, fresh: () => Partial<ScreenView>) {
    this.#fresh = fresh;
    this.#view = {
      ...{ printed: [], partial: [], output: [], activity: undefined, line: EMPTY_LINE, candidates: [], menuAt: 0 },
      ...{ approval: undefined, detail: [], choice: undefined },
      ...{ queued: [], status, usage: '', hint: '', hasEnded: false },
    };
  }

  /** The same object until something changes. */
  get now(): ScreenView {
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Draws at once. */
  set(change: Partial<ScreenView>): void {
    this.#view = { ...this.#view, ...change, ...this.#released(change.hasEnded === true) };
    for (const listener of this.#listeners) listener();
    if (this.#unprinted.length > 0) this.later();
  }

  /** Draws soon, with `fresh()` at that time. */
  later(change: Partial<ScreenView> = {}): void {
    if (Object.keys(change).length > 0) this.#view = { ...this.#view, ...change };
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.set(this.#fresh());
    }, DRAW_EVERY_MS);
  }

  /** Adds finished lines above the drawing, soon. */
  print(lines: readonly string[]): void {
    for (const line of lines.flatMap((text) => text.split('\n'))) {
      for (let from = 0; from === 0 || from < line.length; from += PRINTED_AT_ONCE_CHARS) {
        this.#unprinted.push(line.slice(from, from + PRINTED_AT_ONCE_CHARS));
      }
    }
    this.later();
  }

  /** Cancels a delayed drawing. */
  stop(): void {
    clearTimeout(this.#redraw);
  }

  /** The next finished lines for this drawing: at least one, and as many as fit. */
  #released(areAllDue: boolean): Partial<ScreenView> {
    let count = 0;
    for (let room = PRINTED_AT_ONCE_CHARS; count < this.#unprinted.length; count++) {
      room -= this.#unprinted[count]!.length;
      if (room < 0 && count > 0 && !areAllDue) break;
    }
    if (count === 0) return {};
    const text = this.#unprinted.splice(0, count).join('\n');
    // An empty text would take no line.
    return { printed: [...this.#view.printed, { id: this.#nextId++, text: text || ' ' }] };
  }
}
