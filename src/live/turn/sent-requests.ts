import type { ProviderAnswer, PruneReport } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { FrozenDecisions } from '../conversation/frozen.ts';

/**
 * True for the error about thinking whose prefix changed.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
export const saysBound = (error: string): boolean => error.includes('bound to a different conversation');

interface SentRequest {
  readonly branch: Branch;
  /** The number of calls with this one. */
  readonly calls: number;
  /** The number of its elements. */
  readonly elements: number;
  readonly isWithoutNew: boolean;
}

/** The requests that were sent, by their reports. */
export class SentRequests {
  readonly #sent = new WeakMap<PruneReport, SentRequest>();

  /** `isWithoutNew`: it is sent again without what was new in it. */
  add(report: PruneReport, branch: Branch, isWithoutNew = false): void {
    const { decisions, history } = branch;
    const [calls, elements] = [decisions.calls.calls.length, history.elements.length];
    this.#sent.set(report, { branch, calls, elements, isWithoutNew });
  }

  /** What follows from an answer: the decisions that change by it. */
  answered(report: PruneReport, { status, answerTokens }: ProviderAnswer): FrozenDecisions | undefined {
    const sent = this.#sent.get(report);
    if (!sent) return undefined;
    const { branch, calls, elements, isWithoutNew } = sent;
    const isAccepted = status >= 200 && status < 300;
    if (isAccepted && answerTokens !== undefined) branch.tellAnswer(elements, answerTokens);
    if (isWithoutNew && isAccepted) branch.takeBack();
    else if (status >= 400 && branch.decisions.calls.calls.length === calls) branch.forgetCall();
    else return undefined;
    return branch.decisions;
  }
}
