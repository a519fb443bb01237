import { abortable } from '../../chat/abortable.ts';
import type { Approval, ApprovalRequest, ChatEvent } from '../../chat/chat-event.ts';
import type { Conversation } from '../../chat/conversation.ts';
import { completions } from '../../chat/slash/completion.ts';
import { isSlashCommand, runSlashCommand } from '../../chat/slash/index.ts';
import { printable } from '../text-width.ts';
import { callLine, callTitle } from './call-line.ts';
import { gateLine } from './gate-line.ts';
import { type EditAction, type EditedLine, EMPTY_LINE, edited, sharedBeginning, TypedHistory } from './line-editor.ts';
import { outcomeLines, type Paper } from './outcome-lines.ts';
import type { OpenConversation } from './run-chat.ts';
import { shownText } from './shown-text.ts';
import { type StatusLine, statusLine } from './status-line.ts';

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
/** An unfinished line that is longer goes to the finished ones, so that what is drawn again stays small. */
const LONGEST_PARTIAL_CHARS = 1_000;
const END_AGAIN_MS = 2_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the live screen knows and does, apart from how it is drawn. */
export class ChatScreen {
  readonly #chat: Conversation;
  readonly #paper: () => Paper;
  readonly #typed = new TypedHistory();
  readonly #listeners = new Set<() => void>();
  #view: ScreenView;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | undefined;
  #answer: ((approval: Approval) => void) | undefined;
  #partial = '';
  #nextId = 0;
  #endsIfAgainBefore = 0;

  constructor(open: OpenConversation, paper: () => Paper) {
    this.#paper = paper;
    this.#chat = open({
      emit: (event) => this.#hear(event),
      approve: (request, signal) => this.#ask(request, signal),
    });
    this.#view = {
      ...{ printed: [], partial: '', activity: undefined, line: EMPTY_LINE, candidates: [], approval: undefined },
      ...{ queued: [], status: this.#status(), hint: '', hasEnded: false },
    };
  }

  readonly view = (): ScreenView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get sessionId(): string {
    return this.#chat.session.log.id;
  }

  /** Whether something was said, so that there is a session to go back to. */
  get wasUsed(): boolean {
    return !this.#chat.session.history.isEmpty();
  }

  async close(): Promise<void> {
    clearTimeout(this.#redraw);
    this.#stop?.abort(new Error('ended'));
    await this.#chat.close();
  }

  /** Prints lines above what is drawn. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const item = { id: this.#nextId++, text: lines.join('\n') };
    this.#set({ printed: [...this.#view.printed, item] });
  }

  edit(action: EditAction): void {
    this.#set({ line: edited(this.#view.line, action), candidates: [], hint: '' });
  }

  /** The line typed before or after this one. */
  recall(direction: 'back' | 'forth'): void {
    const text = this.#typed.go(direction, this.#view.line.text);
    if (text !== undefined) this.#set({ line: { text, cursor: text.length }, candidates: [] });
  }

  async complete(): Promise<void> {
    const { line } = this.#view;
    const typed = line.text.slice(0, line.cursor);
    const { start, candidates } = await completions(typed, this.#chat);
    if (this.#view.line !== line || candidates.length === 0) return;
    const word = sharedBeginning(candidates);
    const only = candidates.length === 1;
    const text = only && !word.endsWith('/') ? `${word} ` : word;
    const replaced = edited(line, { kind: 'replace', start, text });
    this.#set({ line: text.length > typed.length - start ? replaced : line, candidates: only ? [] : candidates });
  }

  /** Does what the line says, now or when the turn has ended. */
  enter(): void {
    const { line, activity, queued } = this.#view;
    const text = line.text.trim();
    if (text === '') return;
    this.#typed.add(text);
    this.#set({ line: EMPTY_LINE, candidates: [], hint: '' });
    if (activity !== undefined) this.#set({ queued: [...queued, text] });
    else void this.#run(text);
  }

  /** Says something as if it had been typed. */
  say(text: string): void {
    this.edit({ kind: 'insert', text });
    this.enter();
  }

  answerApproval(approval: Approval): void {
    this.#answer?.(approval);
  }

  /** Esc: cancels what runs. */
  cancel(): void {
    this.#set({ candidates: [], queued: [] });
    this.#stop?.abort(new Error('cancelled'));
  }

  /** Ctrl-C: cancels what runs, else clears the line, else ends when it comes twice. */
  interrupt(): void {
    if (this.#stop) this.cancel();
    else if (this.#view.line.text !== '') this.edit({ kind: 'clear' });
    else if (performance.now() < this.#endsIfAgainBefore) this.end();
    else {
      this.#endsIfAgainBefore = performance.now() + END_AGAIN_MS;
      this.#set({ hint: 'Ctrl-C again or Ctrl-D ends; the session is kept.' });
    }
  }

  end(): void {
    this.#set({ hasEnded: true });
  }

  async #run(text: string): Promise<void> {
    const { bold, red, yellow } = this.#paper().colors;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const isCommand = isSlashCommand(text);
    this.print(['', bold(`> ${shownText(text)}`)]);
    this.#set({ activity: isCommand ? (text.split(' ')[0] ?? '') : 'asking' });
    try {
      if (isCommand) await this.#command(text, signal);
      else {
        const end = await this.#chat.say(text, signal);
        this.#flushPartial();
        if (end.kind === 'failed') this.print([red(printable(end.message))]);
        if (end.kind === 'cancelled') this.print([yellow('Cancelled.')]);
      }
    } catch (error) {
      this.print([signal.aborted ? yellow('Not waited for any more.') : red(printable(textOf(error)))]);
    }
    this.#stop = undefined;
    const [next, ...queued] = this.#view.queued;
    this.#set({ activity: undefined, approval: undefined, queued, status: this.#status() });
    if (next !== undefined && !this.#view.hasEnded) void this.#run(next);
  }

  async #command(text: string, signal: AbortSignal): Promise<void> {
    const outcome = await abortable(runSlashCommand(text, this.#chat), signal);
    this.print(outcomeLines(outcome, this.#paper()));
    if (outcome.kind === 'quit') this.end();
  }

  #hear(event: ChatEvent): void {
    const { dim, red } = this.#paper().colors;
    switch (event.kind) {
      case 'part':
        if (event.part.kind === 'text') this.#addText(event.part.text);
        else if (event.part.kind === 'call') this.#later({ activity: `calling ${event.part.toolName}` });
        else this.#later({ activity: 'thinking' });
        return;
      case 'answered':
        this.#flushPartial();
        return;
      case 'call':
        this.#later({ activity: callTitle(event.call) });
        return;
      case 'result': {
        const { call, response, tookMs } = event;
        const line = callLine(call, { response, tookMs, columns: this.#paper().columns - 1 });
        this.print([response.error === undefined ? dim(line) : red(line)]);
        this.#later({ activity: 'asking' });
        return;
      }
      case 'gate': {
        const done = gateLine(event.report);
        if (done !== undefined) this.print([dim(done)]);
        return;
      }
      case 'notice':
        this.print([dim(printable(event.text))]);
        return;
      case 'status':
        this.#later({});
    }
  }

  #addText(text: string): void {
    this.#partial += shownText(text);
    const end = this.#partial.lastIndexOf('\n');
    const cut = end === -1 && this.#partial.length > LONGEST_PARTIAL_CHARS ? this.#partial.lastIndexOf(' ') : end;
    if (cut > 0) {
      this.print([this.#partial.slice(0, cut)]);
      this.#partial = this.#partial.slice(cut + 1);
    }
    this.#later({ activity: 'answering' });
  }

  #flushPartial(): void {
    const rest = this.#partial.trimEnd();
    this.#partial = '';
    if (rest !== '') this.print([rest]);
    this.#set({ partial: '' });
  }

  #ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
    this.#flushPartial();
    this.#set({ approval: request });
    const answered = new Promise<Approval>((resolve) => {
      this.#answer = resolve;
    });
    return abortable(answered, signal).finally(() => {
      this.#answer = undefined;
      this.#set({ approval: undefined });
    });
  }

  #status(): StatusLine {
    return statusLine(this.#chat.status(), this.#paper().columns - 1);
  }

  /** Draws at once. */
  #set(change: Partial<ScreenView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Draws soon, with the status as it is then. */
  #later(change: Partial<ScreenView>): void {
    if (Object.keys(change).length > 0) this.#view = { ...this.#view, ...change };
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.#set({ partial: this.#partial, status: this.#status() });
    }, DRAW_EVERY_MS);
  }
}
