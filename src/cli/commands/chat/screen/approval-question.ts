import { abortable } from '../../../../chat/abortable.ts';
import type { Approval, ApprovalRequest } from '../../../../chat/chat-event.ts';
import { type AnswerStep, answerStep, type PressedKey } from '../input/approval-choice.ts';
import type { DrawnView } from './drawn-view.ts';

/** The question whether a call is allowed, as the live screen shows it. */
export class ApprovalQuestion {
  readonly #drawn: DrawnView;
  #confirm: ((approval: Approval) => void) | undefined;
  #askedAt = 0;

  constructor(drawn: DrawnView) {
    this.#drawn = drawn;
  }

  /** Shows the question with `detail` until it is answered or aborted. @throws the signal's reason. */
  ask(request: ApprovalRequest, detail: readonly string[], signal: AbortSignal): Promise<Approval> {
    this.#askedAt = performance.now();
    this.#drawn.set({ approval: request, detail, choice: undefined });
    const answered = new Promise<Approval>((resolve) => {
      this.#confirm = resolve;
    });
    return abortable(answered, signal).finally(() => {
      this.#confirm = undefined;
      this.#drawn.set({ approval: undefined, detail: [], choice: undefined });
    });
  }

  /** What a key does to the open question; undefined if none is open. */
  press(key: PressedKey): AnswerStep | undefined {
    const { approval, choice, line } = this.#drawn.now;
    if (approval === undefined) return undefined;
    const openMs = performance.now() - this.#askedAt;
    const step = answerStep(key, { choice, openMs, line: line.text });
    if (step.kind === 'confirm') this.#confirm?.(step.approval);
    else if (step.kind === 'choose') this.#drawn.set({ choice: step.choice });
    else if (step.before !== '') this.#drawn.set({ choice: undefined });
    return step;
  }
}
