import type { Approval, ApprovalRequest, ChatEvent, TurnEnd } from '../../../chat/chat-event.ts';
import type { Conversation, OpenConversation } from '../../../chat/conversation.ts';
import { isSlashCommand, runSlashCommand } from '../../../chat/slash/index.ts';
import { CompressionStrategyError } from '../../../errors.ts';
import { printable, type Screen } from '../../terminal/terminal.ts';
import { callLines, wholePatch } from './call-lines.ts';
import { doneNotes } from './gate-line.ts';
import { TypedLines } from './input/typed-lines.ts';
import { outcomeLines } from './outcome-lines.ts';
import type { ShownBy } from './screen/shown-events.ts';
import { shownNotice, shownText } from './shown-text.ts';
import { statusLine, usageLine } from './status-line.ts';

interface Screens {
  readonly out: Screen;
  readonly notes: Screen;
}

const APPROVALS: Readonly<Record<string, Approval>> = {
  ...{ y: 'once', yes: 'once', n: 'no', no: 'no', a: 'always', always: 'always' },
};

/** A conversation as lines: answers on standard output, everything else on standard error. */
class PlainChat {
  readonly #chat: Conversation;
  readonly #screens: Screens;
  readonly #lines: TypedLines;
  #stop: AbortController | undefined;
  #isInText = false;
  #lastEnd: TurnEnd | undefined;

  constructor(open: OpenConversation, screens: Screens) {
    this.#screens = screens;
    this.#chat = open({
      emit: (event) => (this.#shows[event.kind] as ((event: ChatEvent) => void) | undefined)?.(event),
      approve: (request, signal) => this.#ask(request, signal),
    });
    this.#lines = new TypedLines(
      () => this.#chat,
      () => this.#interrupt(),
    );
  }

  async run(message: string | undefined): Promise<void> {
    const interrupt = (): void => this.#interrupt();
    process.on('SIGINT', interrupt);
    try {
      // Piped input needs the session, because no user can choose another. The failure was shown already.
      const isReady =
        this.#lines.isAsked ||
        (await this.#chat.ready.then(
          () => true,
          () => false,
        ));
      if (!isReady) {
        process.exitCode = 1;
        return;
      }
      let line = message ?? (await this.#lines.next('> '));
      while (line !== undefined && (await this.#runLine(line))) line = await this.#lines.next('> ');
      if (this.#lastEnd !== undefined && this.#lastEnd.kind !== 'answered') process.exitCode = 1;
    } finally {
      process.off('SIGINT', interrupt);
      this.#lines.close();
      await this.#chat.close();
    }
  }

  /** Runs a line; false if the user quits. */
  async #runLine(line: string): Promise<boolean> {
    if (line.trim() === '') return true;
    if (!isSlashCommand(line)) {
      await this.#say(line);
      return true;
    }
    const { out, notes } = this.#screens;
    try {
      this.#stop = new AbortController();
      const outcome = await runSlashCommand(line, this.#chat, this.#stop.signal);
      if (outcome.kind === 'switched') await this.#chat.ready;
      await out.print(
        outcomeLines(outcome, out)
          .map((text) => `${text}\n`)
          .join(''),
      );
      return outcome.kind !== 'quit';
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      await notes.print(`${notes.colors.red(error.message.split('\n').map(printable).join('\n'))}\n`);
      return true;
    } finally {
      this.#stop = undefined;
    }
  }

  async #say(line: string): Promise<void> {
    this.#stop = new AbortController();
    const end = await this.#chat.say(line, this.#stop.signal);
    this.#stop = undefined;
    this.#lastEnd = end;
    this.#endText();
    const { red, yellow, dim } = this.#screens.notes.colors;
    if (end.kind === 'failed') this.#note(red(printable(end.message)));
    if (end.kind === 'cancelled') this.#note(yellow('Cancelled.'));
    const { isPlain, columns } = this.#screens.notes;
    const { before, bar, after } = statusLine(this.#chat.status(), columns);
    this.#note(dim(isPlain ? before.trimEnd() + after : before + bar + after));
    const usage = usageLine(this.#chat.status().lastUsage, columns);
    if (usage !== '') this.#note(dim(usage));
  }

  readonly #shows: Partial<ShownBy> = {
    part: ({ part }) => {
      if (part.kind !== 'text') return;
      this.#screens.out.stream.write(shownText(part.text));
      this.#isInText = !part.text.endsWith('\n');
    },
    answered: () => this.#endText(),
    result: (event) => {
      const { head, detail } = callLines(event, this.#screens.notes);
      this.#notes(event.ending === 'failed' ? [...head, ...detail] : head);
    },
    gate: ({ report }) => this.#notes(doneNotes(report).map(this.#screens.notes.colors.dim)),
    notice: ({ text }) => this.#note(this.#screens.notes.colors.dim(shownNotice(text))),
  };

  async #ask({ preview }: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
    this.#note(this.#screens.notes.colors.bold(printable(preview.title)));
    // All of it: what is not shown would run unseen.
    this.#notes(wholePatch(preview.detail, this.#screens.notes.colors));
    if (!this.#lines.isAsked) {
      this.#note('Declined: there is no terminal to ask on. --yes allows every change and command.');
      return 'no';
    }
    for (;;) {
      const answer = await this.#lines.answer('Allow it? [y]es, [n]o, [a]lways: ');
      signal.throwIfAborted();
      if (answer === undefined) return 'no';
      const approval = APPROVALS[answer.trim().toLowerCase()];
      if (approval !== undefined) return approval;
      this.#note(`Expected y, n or a, got ${JSON.stringify(printable(answer))}.`);
    }
  }

  /** Cancels the running turn or command; quits if there is none. */
  #interrupt(): void {
    if (this.#stop) this.#stop.abort(new Error('cancelled'));
    else this.#lines.close();
  }

  #endText(): void {
    if (this.#isInText) this.#screens.out.stream.write('\n');
    this.#isInText = false;
  }

  #notes(lines: readonly string[]): void {
    for (const line of lines) this.#note(line);
  }

  #note(line: string): void {
    this.#endText();
    this.#screens.notes.stream.write(`${line}\n`);
  }
}

/** Runs a conversation as lines until the input ends or the user quits. */
export async function runPlain(
  open: OpenConversation,
  { message, screens }: { message: string | undefined; screens: Screens },
): Promise<void> {
  await new PlainChat(open, screens).run(message);
}
