import { groupBy } from '../src/content/group-by.ts';
import { canonicalModel } from '../src/economics/model-name.ts';
import { type SimulatedCall, type SimulatedSession, sum } from './simulated-call.ts';

/** What providers did with calls of one kind. */
export interface LossRate {
  /** The share of calls that read less than half of what they share with the call before (0-1). */
  readonly lostRatio: number;
  /** Tokens at the end of the shared prompt that the other calls did not read, on average. */
  readonly tailTokens: number;
}

/** Fewer calls say nothing about a kind. */
const MIN_CALLS = 20;
/** Fewer sessions say nothing about first calls. */
const MIN_SESSIONS = 2;

const readTokens = ({ call }: SimulatedCall): number => call.usage.cachedTokens ?? 0;
/** True if a call read less than half of what it shares with the call before. */
export const isLost = (call: SimulatedCall): boolean => readTokens(call) < call.sharedTokens / 2;

/** Kinds of calls, from the narrowest to the widest. */
const KINDS: readonly ((agent: string, call: SimulatedCall) => string)[] = [
  (agent, call) => [agent, canonicalModel(call.call.model), call.isLate, call.afterUser].join(),
  (agent, call) => [agent, call.isLate, call.afterUser].join(),
  (_, call) => [call.isLate, call.afterUser].join(),
  () => 'all',
];

export function lossRate(calls: readonly SimulatedCall[]): LossRate {
  const found = calls.filter((call) => !isLost(call));
  return {
    lostRatio: 1 - found.length / Math.max(1, calls.length),
    tailTokens: sum(found.map((call) => call.sharedTokens - readTokens(call))) / Math.max(1, found.length),
  };
}

/** What recorded sessions of one provider say about calls of others. */
export class CacheLosses {
  readonly #sessions: readonly SimulatedSession[];
  readonly #byKind: readonly ReadonlyMap<string, LossRate>[];

  constructor(sessions: readonly SimulatedSession[]) {
    this.#sessions = sessions;
    const later = sessions.flatMap(({ agent, calls }) =>
      calls.filter(({ isFirst, sharedTokens }) => !isFirst && sharedTokens > 0).map((call) => ({ agent, call })),
    );
    this.#byKind = KINDS.map((kindOf) => {
      const groups = [...groupBy(later, ({ agent, call }) => kindOf(agent, call))];
      const enough = groups.filter(([, own]) => own.length >= MIN_CALLS);
      return new Map(enough.map(([kind, own]) => [kind, lossRate(own.map(({ call }) => call))]));
    });
  }

  /** The rate of the narrowest kind with enough calls. */
  rateOf({ agent }: SimulatedSession, call: SimulatedCall): LossRate | undefined {
    return KINDS.map((kindOf, at) => this.#byKind[at]!.get(kindOf(agent, call))).find((rate) => rate !== undefined);
  }

  /**
   * Tokens that a first call reads, because other sessions have written the same system prompt; it remains when the rest is
   * lost. The median of the sessions that are most like this one.
   */
  sharedPromptOf({ agent, repository, isSubAgent, calls }: SimulatedSession): number {
    const model = canonicalModel(calls[0]!.call.model);
    const alike: readonly ((other: SimulatedSession) => boolean)[] = [
      (other) => other.repository === repository && other.isSubAgent === isSubAgent,
      () => true,
    ];
    const sameAgent = this.#sessions.filter((other) => other.agent === agent);
    const sameModel = sameAgent.filter((other) => canonicalModel(other.calls[0]!.call.model) === model);
    const groups = [...alike.map((isAlike) => sameModel.filter(isAlike)), sameAgent, this.#sessions];
    const own = groups.find((group) => group.length >= MIN_SESSIONS) ?? [];
    const read = own.map((other) => readTokens(other.calls[0]!)).sort((one, other) => one - other);
    return ((read[(read.length - 1) >> 1] ?? 0) + (read[read.length >> 1] ?? 0)) / 2;
  }

  /** Tokens that a call reads if its cache is lost, and if it is not. */
  outcomesOf(session: SimulatedSession, call: SimulatedCall): { readonly lost: number; readonly found: number } {
    const { tailTokens } = this.rateOf(session, call) ?? { tailTokens: 0 };
    return {
      lost: Math.min(call.sharedTokens, this.sharedPromptOf(session)),
      found: Math.min(call.call.usage.promptTokens, Math.max(0, call.sharedTokens - tailTokens)),
    };
  }

  /** Tokens that a call is expected to read. */
  expectedTokens(session: SimulatedSession, call: SimulatedCall): number {
    if (call.isFirst) return Math.min(call.sharedTokens, this.sharedPromptOf(session));
    if (call.sharedTokens === 0) return 0;
    const { lostRatio } = this.rateOf(session, call) ?? { lostRatio: 0 };
    const { lost, found } = this.outcomesOf(session, call);
    return lostRatio * lost + (1 - lostRatio) * found;
  }
}
