import type { Approval, ApprovalRequest } from '../../../../chat/chat-event.ts';
import { raced } from '../../../../deadline.ts';
import { type AnswerStep, answerStep, type PressedKey } from '../input/approval-choice.ts';
import type { DrawnView } from './drawn-view.ts';

/** The question whether a call is allowed, as the live screen shows it. */
export interface ApprovalQuestion {
  /** Shows the question with `detail` until it is answered or aborted. @throws the signal's reason. */
  ask(request: ApprovalRequest, detail: readonly string[], signal: AbortSignal): Promise<Approval>;
  /** What a key does to the open question; undefined if none is open. */
  press(key: PressedKey): AnswerStep | undefined;
}

export function approvalQuestion(drawn: DrawnView): ApprovalQuestion {
  let confirm: ((approval: Approval) => void) | undefined;
  let askedAt = 0;
  return {
    ask(request, detail, signal) {
      askedAt = performance.now();
      drawn.set({ approval: request, detail, choice: undefined });
      const answered = new Promise<Approval>((resolve) => {
        confirm = resolve;
      });
      return raced(answered, signal).finally(() => {
        confirm = undefined;
        drawn.set({ approval: undefined, detail: [], choice: undefined });
      });
    },
    press(key) {
      const { approval, choice, line } = drawn.now;
      if (approval === undefined) return undefined;
      const step = answerStep(key, { choice, openMs: performance.now() - askedAt, line: line.text });
      if (step.kind === 'confirm') confirm?.(step.approval);
      else if (step.kind === 'choose') drawn.set({ choice: step.choice });
      else if (step.before !== '') drawn.set({ choice: undefined });
      return step;
    },
  };
}
