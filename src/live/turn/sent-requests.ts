import { MINUTE_MS } from '../../durations.ts';
import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { defaultLifetimeMs } from '../../economics/cost-rules.ts';
import { askedLifetimeMs } from '../cache/asked-lifetime.ts';
import type { ProviderAnswer, PruneReport } from '../contract.ts';
import type { Branch } from '../conversation/branch.ts';
import type { FrozenDecisions } from '../conversation/frozen.ts';

/** The time since the last request. */
interface Pause {
  readonly idleMs: number;
  /** True if the prefix counts as lost after it, by what the model's cache promises. */
  readonly isCold: boolean;
  /** True if requests say how long it is kept. */
  readonly isAskedFor: boolean;
}

/** How long an unused prefix is kept: as the requests asked, else as the model's cache promises, or shorter where its answers showed that. */
export const lifetimeOf = (branch: Branch, model: string): number =>
  askedLifetimeMs(branch) ??
  Math.min(defaultLifetimeMs(model), branch.decisions.seenLifetime.lostAfterMs ?? Number.POSITIVE_INFINITY);

/** `undefined` if the time is not known. */
export function pauseBefore(
  branch: Branch,
  { model, idleMs }: { readonly model: string; readonly idleMs: number | undefined },
): Pause | undefined {
  if (idleMs === undefined) return undefined;
  return {
    idleMs,
    isCold: idleMs >= (askedLifetimeMs(branch) ?? defaultLifetimeMs(model)),
    isAskedFor: cacheRuleOf(model).marks !== undefined,
  };
}

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
  readonly pause: Pause | undefined;
  /** The tokens of its prompt that the last prompt had too. */
  readonly keptTokens: number;
}

/** No vendor names a shorter lifetime: what is lost earlier is lost by chance. */
const SHORTEST_LIFETIME_MS = 5 * MINUTE_MS;
/** Other conversations may keep what is before the messages in the cache; its size is an estimate. */
const MIN_WARM_RATIO = 1.25;
const MIN_WARM_TOKENS = 2_000;

/**
 * True if a pause says that the cache is lost: nothing keeps it warm, and after a restart no answer is of a request that was sent
 * elsewhere, as by the agent alone.
 */
export const isClockOf = ({ model, history, decisions }: Branch): boolean =>
  !decisions.isKeptWarm && (model !== undefined || history.answersAt.length <= decisions.calls.calls.length);

/** The requests that were sent, by their reports. */
export class SentRequests {
  readonly #sent = new WeakMap<PruneReport, SentRequest>();

  /** `isWithoutNew`: it is sent again without what was new in it. */
  add(
    report: PruneReport,
    branch: Branch,
    { isWithoutNew = false, pause = undefined as Pause | undefined } = {},
  ): void {
    const { decisions, history } = branch;
    const { calls } = decisions.calls;
    const keptTokens = calls.at(-1)?.keptTokens ?? 0;
    const elements = history.elements.length;
    this.#sent.set(report, { branch, calls: calls.length, elements, isWithoutNew, pause, keptTokens });
  }

  /** The branch of a request, if it is the newest one of it; undefined for requests that are no calls of a conversation. */
  newestBranch(report: PruneReport): Branch | undefined {
    const sent = this.#sent.get(report);
    return sent && sent.branch.history.elements.length === sent.elements ? sent.branch : undefined;
  }

  /** What follows from an answer: the decisions that change by it. */
  answered(report: PruneReport, { status, answerTokens, cachedTokens }: ProviderAnswer): FrozenDecisions | undefined {
    const sent = this.#sent.get(report);
    if (!sent) return undefined;
    const { branch, calls, elements, isWithoutNew } = sent;
    const { decisions } = branch;
    const isAccepted = status >= 200 && status < 300;
    if (isAccepted && answerTokens !== undefined) branch.tellAnswer(elements, answerTokens);
    const isNews = cachedTokens !== undefined && learnLifetime(sent, cachedTokens);
    if (isWithoutNew && isAccepted) branch.takeBack();
    else if (status >= 400 && decisions.calls.calls.length === calls) branch.forgetCall();
    else if (!isNews) return undefined;
    return decisions;
  }
}

/** Learns how long the provider keeps a prefix from what it read of one after a pause; true if that is new. */
function learnLifetime({ branch, pause, keptTokens }: SentRequest, cachedTokens: number): boolean {
  if (pause === undefined) return false;
  const { decisions, constantTokens = 0 } = branch;
  const { idleMs, isCold, isAskedFor } = pause;
  const othersTokens = MIN_WARM_RATIO * constantTokens + MIN_WARM_TOKENS;
  const isFound = cachedTokens > othersTokens;
  if (isCold) {
    if (isFound) decisions.keepWarm();
    return isFound;
  }
  // A provider that never told of a hit may not tell of any.
  const { foundAfterMs } = decisions.seenLifetime;
  const isLost = foundAfterMs > 0 && idleMs >= SHORTEST_LIFETIME_MS && keptTokens > MIN_WARM_RATIO * othersTokens;
  return !isAskedFor && (isFound || isLost) && decisions.notePause({ idleMs, isFound });
}
