import type { Approval, ApprovalRequest } from '../../../../chat/chat-event.ts';
import type { Conversation, OpenConversation } from '../../../../chat/conversation.ts';
import { completions } from '../../../../chat/slash/completion.ts';
import { isSlashCommand, runSlashCommand } from '../../../../chat/slash/index.ts';
import { messageOf } from '../../../../errors.ts';
import { printable } from '../../../terminal/terminal.ts';
import { patchLine, wholePatch } from '../call-lines.ts';
import type { PressedKey } from '../input/approval-choice.ts';
import { FoldedPastes } from '../input/folded-pastes.ts';
import {
  type EditAction,
  type EditedLine,
  EMPTY_LINE,
  edited,
  sharedStart,
  TypedHistory,
} from '../input/line-editor.ts';
import { completedCommand, slashMenu } from '../input/slash-menu.ts';
import { wrappedLines } from '../markdown/wrapped-lines.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { shownText } from '../shown-text.ts';
import { statusLine, usageLine } from '../status-line.ts';
import { type ApprovalQuestion, approvalQuestion } from './approval-question.ts';
import { DrawnView, type ScreenView } from './drawn-view.ts';
import { type ScreenStyle, ShownEvents } from './shown-events.ts';

const END_AGAIN_MS = 2_000;
/** The frame around a question, and the width of its text. */
const FRAME_COLUMNS = 4;

/** The line completed as far as all candidates agree, and the candidates if there are several; undefined if there are none. */
async function completedLine(
  line: EditedLine,
  chat: Conversation,
): Promise<{ readonly line: EditedLine; readonly candidates: readonly string[] } | undefined> {
  const typed = line.text.slice(0, line.cursor);
  const { start, candidates } = await completions(typed, chat);
  if (candidates.length === 0) return undefined;
  const word = sharedStart(candidates);
  const isOnly = candidates.length === 1;
  const text = isOnly && !word.endsWith('/') ? `${word} ` : word;
  const replaced = edited(line, { kind: 'replace', start, text });
  return { line: text.length > typed.length - start ? replaced : line, candidates: isOnly ? [] : candidates };
}

/** The state and actions of the live screen; `live-screen.tsx` draws it. */
export class ChatScreen {
  readonly #chat: Conversation;
  readonly #style: () => ScreenStyle;
  readonly #typed = new TypedHistory();
  readonly #pastes = new FoldedPastes();
  readonly #events: ShownEvents;
  readonly #drawn: DrawnView;
  readonly #question: ApprovalQuestion;
  #stop: AbortController | undefined;
  #endsIfAgainBefore = 0;

  constructor(open: OpenConversation, style: () => ScreenStyle) {
    this.#style = style;
    this.#events = new ShownEvents(style, () => this.#drawn);
    this.#chat = open({
      emit: (event) => this.#events.show(event),
      approve: (request, signal) => this.#ask(request, signal),
    });
    this.#drawn = new DrawnView(this.#status().status, () => ({
      ...this.#events.fresh(),
      ...this.#status(),
    }));
    this.#question = approvalQuestion(this.#drawn);
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
    this.#drawn.set({ line: edited(this.#drawn.now.line, action), candidates: [], menuAt: 0, hint: '' });
  }

  /** Puts pasted text into the line, a long one as one word. */
  paste(text: string): void {
    this.edit({ kind: 'insert', text: this.#pastes.fold(text) });
  }

  /** The line as it is shown. */
  readonly shown = (text: string): string => this.#pastes.shown(text);

  /** The line typed before or after this one; in a menu, the command above or below. */
  recall(direction: 'back' | 'forth'): void {
    const { line, menuAt } = this.#drawn.now;
    const fitting = slashMenu(line.text)?.fitting.length ?? 0;
    if (fitting > 0) {
      this.#drawn.set({ menuAt: (menuAt + (direction === 'back' ? fitting - 1 : 1)) % fitting });
      return;
    }
    const text = this.#typed.go(direction, this.#drawn.now.line.text);
    if (text !== undefined) this.#drawn.set({ line: { text, cursor: text.length }, candidates: [] });
  }

  async complete(): Promise<void> {
    const { line, menuAt } = this.#drawn.now;
    if (this.#completeCommand(line.text, menuAt)) return;
    const completed = await completedLine(line, this.#chat);
    if (completed !== undefined && this.#drawn.now.line === line) this.#drawn.set(completed);
  }

  /** Runs the line now, or after the running turn. */
  enter(): void {
    const { line, activity, queued, menuAt } = this.#drawn.now;
    const text = line.text.trim();
    if (text === '' || this.#completeCommand(line.text, menuAt)) return;
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

  /** Ctrl-O: prints all of what was cut: of the open question, else of the running command, else of the last call. */
  expand(): void {
    const { approval } = this.#drawn.now;
    const whole = approval ? wholePatch(approval.preview.detail, this.#style().colors) : this.#events.whole();
    if (whole === undefined) this.#drawn.set({ hint: 'Nothing was cut.' });
    else this.print(whole);
  }

  /** Esc: cancels the running turn or command, else closes the menu. */
  cancel(): void {
    if (!this.#stop && slashMenu(this.#drawn.now.line.text)) this.edit({ kind: 'clear' });
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
    this.#drawn.set({ hasEnded: true, hint: '' });
  }

  async #run(text: string): Promise<void> {
    const { bold, red, yellow } = this.#style().colors;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const isCommand = isSlashCommand(text);
    this.print(['', bold(`> ${shownText(this.#pastes.shown(text))}`)]);
    this.#drawn.set({ activity: isCommand ? (text.split(' ')[0] ?? '') : 'asking' });
    try {
      if (isCommand) await this.#command(text, signal);
      else {
        const end = await this.#chat.say(this.#pastes.whole(text), signal);
        this.#events.endAnswer();
        if (end.kind === 'failed') this.print([red(printable(end.message))]);
        if (end.kind === 'cancelled') this.print([yellow('Cancelled.')]);
      }
    } catch (error) {
      this.print([red(printable(messageOf(error)))]);
    }
    this.#stop = undefined;
    const [next, ...queued] = this.#drawn.now.queued;
    this.#drawn.set({ activity: undefined, approval: undefined, queued, output: [], ...this.#status() });
    if (next !== undefined && !this.#drawn.now.hasEnded) void this.#run(next);
  }

  async #command(text: string, signal: AbortSignal): Promise<void> {
    const outcome = await runSlashCommand(text, this.#chat, signal);
    this.print(outcomeLines(outcome, this.#style()));
    if (outcome.kind === 'quit') this.end();
  }

  #ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
    this.#events.endAnswer();
    return this.#question.ask(request, this.#detailOf(request), signal);
  }

  /** The lines of a question. A command is never cut: its end matters as much as its start. */
  #detailOf({ asks, preview }: ApprovalRequest): readonly string[] {
    const { colors, columns } = this.#style();
    const room = { colors, columns: columns - FRAME_COLUMNS };
    if (asks === 'write') return preview.detail.map((line) => patchLine(line, room));
    return preview.detail.flatMap((line) => wrappedLines(printable(line.slice(1)), room.columns));
  }

  /** True if the menu completed the line. */
  #completeCommand(line: string, chosen: number): boolean {
    const text = completedCommand(line, chosen);
    if (text !== undefined) this.edit({ kind: 'replace', start: 0, text });
    return text !== undefined;
  }

  #status(): Pick<ScreenView, 'status' | 'usage'> {
    const status = this.#chat.status();
    const columns = this.#style().columns - 1;
    return { status: statusLine(status, columns), usage: usageLine(status.lastUsage, columns) };
  }
}
