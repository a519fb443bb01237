import type { ApprovalRequest } from '../../chat/chat-event.ts';
import { type EditedLine, EMPTY_LINE } from './line-editor.ts';
import type { StatusLine } from './status-line.ts';

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
  /** Lines that are said when the turn has ended. */
  readonly queued: readonly string[];
  readonly status: StatusLine;
  readonly hint: string;
  readonly hasEnded: boolean;
}

/** What does not come from the keyboard is drawn 25 times a second at most: threads count in thousands of steps. */
const DRAW_EVERY_MS = 40;

/** What the screen shows, and when whoever draws it is told to. */
export class DrawnView {
  readonly #fresh: () => Partial<ScreenView>;
  readonly #listeners = new Set<() => void>();
  #view: ScreenView;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #nextId = 0;

  /** `fresh` is asked for what changes all the time, whenever it is drawn later. */
  constructor(status: StatusLine, fresh: () => Partial<ScreenView>) {
    this.#fresh = fresh;
    this.#view = {
      ...{ printed: [], partial: '', activity: undefined, line: EMPTY_LINE, candidates: [], approval: undefined },
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
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Draws soon, with what is fresh then. */
  later(change: Partial<ScreenView> = {}): void {
    if (Object.keys(change).length > 0) this.#view = { ...this.#view, ...change };
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.set(this.#fresh());
    }, DRAW_EVERY_MS);
  }

  /** Puts finished lines above what is drawn. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const item = { id: this.#nextId++, text: lines.join('\n') };
    this.set({ printed: [...this.#view.printed, item] });
  }

  /** Nothing is drawn later any more. */
  stop(): void {
    clearTimeout(this.#redraw);
  }
}
