import type { Approval, ApprovalRequest } from '../../../../chat/chat-event.ts';
import type { StatusLine } from '../status-line.ts';
import { type EditedLine, EMPTY_LINE } from './line-editor.ts';

/** Lines that are finished and scroll away. */
export interface PrintedItem {
  readonly id: number;
  readonly text: string;
}

/** Everything that the screen shows now. */
export interface ScreenView {
  readonly printed: readonly PrintedItem[];
  /** The last, unfinished line of an answer. */
  readonly partial: string;
  /** What is being done; undefined when the next line is waited for. */
  readonly activity: string | undefined;
  readonly line: EditedLine;
  readonly candidates: readonly string[];
  readonly approval: ApprovalRequest | undefined;
  /** The answer that Enter would confirm. */
  readonly choice: Approval | undefined;
  /** Lines that are said when the turn has ended. */
  readonly queued: readonly string[];
  readonly status: StatusLine;
  readonly hint: string;
  readonly hasEnded: boolean;
}

/** What does not come from the keyboard is drawn 25 times a second at most: threads count in thousands of steps. */
const DRAW_EVERY_MS = 40;
/** Finished lines of about so many characters go into one drawing: keys are heard before the next. Source: bench/terminal. */
const PRINTED_AT_ONCE_CHARS = 2_000;

/** What the screen shows, and when whoever draws it is told to. */
export class DrawnView {
  readonly #fresh: () => Partial<ScreenView>;
  readonly #listeners = new Set<() => void>();
  #view: ScreenView;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  /** Finished lines that no drawing has shown yet, each no longer than one may take. */
  #unprinted: string[] = [];
  #nextId = 0;

  /** `fresh` is asked for what changes all the time, whenever it is drawn later. */
  constructor(status: StatusLine, fresh: () => Partial<ScreenView>) {
    this.#fresh = fresh;
    this.#view = {
      ...{ printed: [], partial: '', activity: undefined, line: EMPTY_LINE, candidates: [], approval: undefined },
      choice: undefined,
      ...{ queued: [], status, hint: '', hasEnded: false },
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

  /** Draws soon, with what is fresh then. */
  later(change: Partial<ScreenView> = {}): void {
    if (Object.keys(change).length > 0) this.#view = { ...this.#view, ...change };
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.set(this.#fresh());
    }, DRAW_EVERY_MS);
  }

  /** Puts finished lines above what is drawn, soon. */
  print(lines: readonly string[]): void {
    for (const line of lines.flatMap((text) => text.split('\n'))) {
      for (let from = 0; from === 0 || from < line.length; from += PRINTED_AT_ONCE_CHARS) {
        this.#unprinted.push(line.slice(from, from + PRINTED_AT_ONCE_CHARS));
      }
    }
    this.later();
  }

  /** Nothing is drawn later any more. */
  stop(): void {
    clearTimeout(this.#redraw);
  }

  /** The lines that have their turn in this drawing: a first one, and what has room beside it. */
  #released(areAllDue: boolean): Partial<ScreenView> {
    let count = 0;
    for (let room = PRINTED_AT_ONCE_CHARS; count < this.#unprinted.length; count++) {
      room -= this.#unprinted[count]!.length;
      if (room < 0 && count > 0 && !areAllDue) break;
    }
    if (count === 0) return {};
    const text = this.#unprinted.splice(0, count).join('\n');
    // A text of nothing would take no line.
    return { printed: [...this.#view.printed, { id: this.#nextId++, text: text || ' ' }] };
  }
}
