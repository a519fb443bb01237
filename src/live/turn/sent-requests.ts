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
  /** True if the prefix counted as lost. */
  readonly wasCold: boolean;
}

/** Other conversations may keep what is before the messages in the cache; its size is an estimate. */
const LEAST_WARM_RATIO = 1.25;
const LEAST_WARM_TOKENS = 2_000;

/**
 * True if a pause says that the cache is lost: nothing keeps it warm, and after a restart no answer is of a request that was sent
 * elsewhere, as by the agent alone.
 */
export const isClockOf = ({ model, history, decisions }: Branch): boolean =>
  !decisions.isKeptWarm && (model !== undefined || history.answersAt.length <= decisions.calls.calls.length);

/** The requests that were sent, by their reports. */
export class SentRequests {
  readonly #sent = new WeakMap<PruneReport, SentRequest>();

  /** `isWithoutNew`: it is sent again without what was new in it; `wasCold`: the prefix counted as lost. */
  add(report: PruneReport, branch: Branch, { isWithoutNew = false, wasCold = false } = {}): void {
    const { decisions, history } = branch;
    const [calls, elements] = [decisions.calls.calls.length, history.elements.length];
    this.#sent.set(report, { branch, calls, elements, isWithoutNew, wasCold });
  }

  /** What follows from an answer: the decisions that change by it. */
  answered(
    report: PruneReport,
    { status, answerTokens, cachedTokens = 0 }: ProviderAnswer,
  ): FrozenDecisions | undefined {
    const sent = this.#sent.get(report);
    if (!sent) return undefined;
    const { branch, calls, elements, isWithoutNew, wasCold } = sent;
    const { decisions, constantTokens = 0 } = branch;
    const isAccepted = status >= 200 && status < 300;
    if (isAccepted && answerTokens !== undefined) branch.tellAnswer(elements, answerTokens);
    const isWarm = wasCold && cachedTokens > LEAST_WARM_RATIO * constantTokens + LEAST_WARM_TOKENS;
    if (isWarm) decisions.keepWarm();
    if (isWithoutNew && isAccepted) branch.takeBack();
    else if (status >= 400 && decisions.calls.calls.length === calls) branch.forgetCall();
    else if (!isWarm) return undefined;
    return decisions;
  }
}
