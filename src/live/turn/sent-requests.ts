import type { PruneReport } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { FrozenDecisions } from '../conversation/frozen.ts';

interface SentRequest {
  readonly branch: Branch;
  /** The number of calls with this one. */
  readonly calls: number;
  readonly isWithoutNew: boolean;
}

/** The requests that were sent, by their reports. */
export class SentRequests {
  readonly #sent = new WeakMap<PruneReport, SentRequest>();

  /** `isWithoutNew`: it is sent again without what was new in it. */
  add(report: PruneReport, branch: Branch, isWithoutNew = false): void {
    this.#sent.set(report, { branch, calls: branch.decisions.calls.calls.length, isWithoutNew });
  }

  /** What follows from an answer: the decisions that change by it. */
  answered(report: PruneReport, status: number): FrozenDecisions | undefined {
    const sent = this.#sent.get(report);
    if (!sent) return undefined;
    const { branch, calls, isWithoutNew } = sent;
    if (isWithoutNew && status >= 200 && status < 300) branch.takeBack();
    else if (status >= 400 && branch.decisions.calls.calls.length === calls) branch.forgetCall();
    else return undefined;
    return branch.decisions;
  }
}
