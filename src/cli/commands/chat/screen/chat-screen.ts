import type { Approval, ApprovalRequest, ChatEvent } from '../../../../chat/chat-event.ts';
import type { Conversation } from '../../../../chat/conversation.ts';
import { isSlashCommand, runSlashCommand } from '../../../../chat/slash/index.ts';
import { messageOf } from '../../../../errors.ts';
import { printable } from '../../../terminal/printable.ts';
import { widthOf, wrapped } from '../../../terminal/text-width.ts';
import { callLine, callTitle } from '../call-line.ts';
import { gateLine } from '../gate-line.ts';
import type { OpenConversation } from '../open-conversation.ts';
import { type LineStyle, outcomeLines } from '../outcome-lines.ts';
import { PartialAnswer } from '../partial-answer.ts';
import { shownNotice, shownText } from '../shown-text.ts';
import { type StatusLine, statusLine } from '../status-line.ts';
import type { PressedKey } from './approval-choice.ts';
import { ApprovalQuestion } from './approval-question.ts';
import { completedLine } from './completed-line.ts';
import { DrawnView, type ScreenView } from './drawn-view.ts';
import { type EditAction, EMPTY_LINE, edited, TypedHistory } from './line-editor.ts';

const END_AGAIN_MS = 2_000;

/** The state and actions of the live screen; `live-screen.tsx` draws it. */
export class ChatScreen {
  readonly #chat: Conversation;
  readonly #style: () => LineStyle;
  readonly #typed = new TypedHistory();
  readonly #partial = new PartialAnswer();
  readonly #drawn: DrawnView;
  readonly #question: ApprovalQuestion;
  #stop: AbortController | undefined;
  #endsIfAgainBefore = 0;

  constructor(open: OpenConversation, style: () => LineStyle) {
    this.#style = style;
    this.#chat = open({
      emit: (event) => this.#show(event),
      approve: (request, signal) => this.#ask(request, signal),
    });
    this.#drawn = new DrawnView(this.#status(), () => ({
      partial: this.#wrapped(this.#partial.text),
      status: this.#status(),
    }));
    this.#question = new ApprovalQuestion(this.#drawn);
  }

  readonly view = (): ScreenView => this.#drawn.now;

  readonly subscribe = (listener: () => void): (() => void) => this.#drawn.subscribe(listener);

  get sessionId(): string {
    return this.#chat.session.log.id;
  }

  /** True if the session has entries, so that it can be resumed. */
  get wasUsed(): boolean {
    return !this.#chat.session.history.isEmpty();
  }

  async close(): Promise<void> {
    this.#drawn.stop();
    this.#stop?.abort(new Error('ended'));
    await this.#chat.close();
  }

  /** Prints lines above the drawing. */
  print(lines: readonly string[]): void {
    this.#drawn.print(lines);
  }

  edit(action: EditAction): void {
    this.#drawn.set({ line: edited(this.#drawn.now.line, action), candidates: [], hint: '' });
  }

  /** The line typed before or after this one. */
  recall(direction: 'back' | 'forth'): void {
    const text = this.#typed.go(direction, this.#drawn.now.line.text);
    if (text !== undefined) this.#drawn.set({ line: { text, cursor: text.length }, candidates: [] });
  }

  async complete(): Promise<void> {
    const { line } = this.#drawn.now;
    const completed = await completedLine(line, this.#chat);
    if (completed !== undefined && this.#drawn.now.line === line) this.#drawn.set(completed);
  }

  /** Runs the line now, or after the running turn. */
  enter(): void {
    const { line, activity, queued } = this.#drawn.now;
    const text = line.text.trim();
    if (text === '') return;
    this.#typed.add(text);
    this.#drawn.set({ line: EMPTY_LINE, candidates: [], hint: '' });
    if (activity !== undefined) this.#drawn.set({ queued: [...queued, text] });
    else void this.#run(text);
  }

  /** Sends a text as if the user had typed it. */
  say(text: string): void {
    this.edit({ kind: 'insert', text });
    this.enter();
  }

  /** Gives a key to the open question; false if there is none or the key belongs to the line. */
  answer(key: PressedKey): boolean {
    const step = this.#question.press(key);
    if (step?.kind === 'text' && step.before !== '') this.edit({ kind: 'insert', text: step.before });
    return step !== undefined && step.kind !== 'text';
  }

  /** Esc: cancels the running turn or command. */
  cancel(): void {
    this.#drawn.set({ candidates: [], queued: [] });
    this.#stop?.abort(new Error('cancelled'));
  }

  /** Ctrl-C: cancels, else clears the line, else quits at the second press. */
  interrupt(): void {
    if (this.#stop) this.cancel();
    else if (this.#drawn.now.line.text !== '') this.edit({ kind: 'clear' });
    else if (performance.now() < this.#endsIfAgainBefore) this.end();
    else {
      this.#endsIfAgainBefore = performance.now() + END_AGAIN_MS;
      this.#drawn.set({ hint: 'Press Ctrl-C again or Ctrl-D to quit; the session is kept.' });
    }
  }

  end(): void {
    this.#drawn.set({ hasEnded: true });
  }

  async #run(text: string): Promise<void> {
    const { bold, red, yellow } = this.#style().colors;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const isCommand = isSlashCommand(text);
    this.print(['', bold(`> ${shownText(text)}`)]);
    this.#drawn.set({ activity: isCommand ? (text.split(' ')[0] ?? '') : 'asking' });
    try {
      if (isCommand) await this.#command(text, signal);
      else {
        const end = await this.#chat.say(text, signal);
        this.#flushPartial();
        if (end.kind === 'failed') this.print([red(printable(end.message))]);
        if (end.kind === 'cancelled') this.print([yellow('Cancelled.')]);
      }
    } catch (error) {
      this.print([red(printable(messageOf(error)))]);
    }
    this.#stop = undefined;
    const [next, ...queued] = this.#drawn.now.queued;
    this.#drawn.set({ activity: undefined, approval: undefined, queued, status: this.#status() });
    if (next !== undefined && !this.#drawn.now.hasEnded) void this.#run(next);
  }

  async #command(text: string, signal: AbortSignal): Promise<void> {
    const outcome = await runSlashCommand(text, this.#chat, signal);
    this.print(outcomeLines(outcome, this.#style()));
    if (outcome.kind === 'quit') this.end();
  }

  #show(event: ChatEvent): void {
    const { dim, red } = this.#style().colors;
    switch (event.kind) {
      case 'part':
        if (event.part.kind === 'text') this.#addText(event.part.text);
        else if (event.part.kind === 'call') this.#drawn.later({ activity: `calling ${event.part.toolName}` });
        else this.#drawn.later({ activity: 'thinking' });
        return;
      case 'answered':
        this.#flushPartial();
        return;
      case 'call':
        this.#drawn.later({ activity: callTitle(event.call) });
        return;
      case 'result': {
        const { call, response, tookMs } = event;
        const line = callLine(call, { response, tookMs, columns: this.#style().columns - 1 });
        this.print([response.error === undefined ? dim(line) : red(line)]);
        this.#drawn.later({ activity: 'asking' });
        return;
      }
      case 'gate': {
        const done = gateLine(event.report);
        if (done !== undefined) this.print([dim(done)]);
        return;
      }
      case 'notice':
        this.print([dim(shownNotice(event.text))]);
        return;
      case 'status':
        this.#drawn.later();
    }
  }

  #addText(text: string): void {
    const finished = this.#partial.add(shownText(text));
    if (finished !== undefined) this.print([this.#wrapped(finished)]);
    this.#drawn.later({ activity: 'answering' });
  }

  #flushPartial(): void {
    const rest = this.#partial.end();
    if (rest !== '') this.print([this.#wrapped(rest)]);
    this.#drawn.set({ partial: '' });
  }

  #ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
    this.#flushPartial();
    return this.#question.ask(request, signal);
  }

  /** Wraps an answer. Ink would keep the blank at the start of a wrapped line. */
  #wrapped(text: string): string {
    const { columns } = this.#style();
    const lines = text.split('\n').map((line) => (widthOf(line) <= columns ? line : wrapped(line, columns)));
    return lines.join('\n');
  }

  #status(): StatusLine {
    return statusLine(this.#chat.status(), this.#style().columns - 1);
  }
}
