import type { IContent } from '../../content/content.ts';
import { PastCalls } from '../../economics/account/past-calls.ts';
import { costRules, defaultLifetimeMs, isCacheCold } from '../../economics/cost-rules.ts';
import { decide } from '../../economics/decide.ts';
import type { Decision, WaitingConversation } from '../../economics/decision.ts';
import type { DensityResult, Ephemerals } from '../../strategies/contract.ts';
import { onlyEntries, waitingEdits } from './waiting-edits.ts';

/** A history before a send, as the decision about its edits needs it. */
export interface PruningMoment
  extends Pick<
    WaitingConversation,
    'tokens' | 'constantTokens' | 'pendingTokens' | 'sentEntries' | 'idleMs' | 'pastCalls'
  > {
  readonly history: readonly IContent[];
  readonly model: string;
  /** The name of the agent's session format, if it is known. */
  readonly agent?: string | undefined;
  readonly ephemerals: Ephemerals;
  readonly thresholdTokens: number;
  /** The repository of a recorded session, whose own length must not be known to the decision. */
  readonly exceptRepository?: string | undefined;
}

/** What applies of a result now, and why. */
export interface PruningDecision extends Omit<Decision, 'apply'> {
  /** Absent: nothing applies now. */
  readonly result?: DensityResult;
  /** Tokens of the edits that wait. */
  readonly waitingTokens: number;
}

/** For the calls of a conversation that is pruned by such decisions. */
export const newPastCalls = (): PastCalls => new PastCalls();

/** True if any change is free: rules may then prune more. */
export const isColdMoment = ({
  model,
  ephemerals,
  ...sent
}: Pick<PruningMoment, 'model' | 'ephemerals' | 'sentEntries' | 'idleMs'>): boolean =>
  isCacheCold(sent, lifetimeMsOf(ephemerals) ?? defaultLifetimeMs(model));

/** The lifetime of the cache as it is set; `undefined`: that of the model. */
function lifetimeMsOf(ephemerals: Ephemerals): number | undefined {
  const minutes = ephemerals.densityCacheMinutes?.();
  return minutes === undefined ? undefined : minutes * 60_000;
}

/** The part of a result to apply now, by the costs of the model. Linear in entries. */
export function pruningDecision(result: DensityResult, moment: PruningMoment): PruningDecision {
  const { history, tokens, ephemerals, constantTokens, pendingTokens, sentEntries, idleMs, pastCalls } = moment;
  let callsMade = 0;
  for (const { speaker } of history) if (speaker === 'ai') callsMade++;
  const rules = costRules({
    model: moment.model,
    agent: moment.agent,
    callsMade,
    lifetimeMs: lifetimeMsOf(ephemerals),
    thresholdTokens: moment.thresholdTokens,
    exceptRepository: moment.exceptRepository,
  });
  const lastThinkingAt = rules.cache.bindsThinking ? history.findLastIndex(hasBoundThinking) : -1;
  const edits = waitingEdits(history, result, tokens);
  const conversation = {
    tokens,
    blocks: history.map(({ blocks }) => blocks.length),
    constantTokens,
    pendingTokens,
    sentEntries,
    idleMs,
    lastThinkingAt,
    callsMade,
    pastCalls,
  };
  const { apply, ...decision } = decide(
    conversation,
    edits.filter(({ savedTokens }) => savedTokens > 0),
    rules,
  );
  const applied = new Set(apply);
  const waitingTokens = edits.reduce((sum, edit) => (applied.has(edit) ? sum : sum + edit.savedTokens), 0);
  const told = { ...decision, waitingTokens };
  if (apply.length === 0) return told;
  if (apply.length === edits.length) return { ...told, result };
  return { ...told, result: onlyEntries(result, new Set(apply.flatMap(({ entries }) => entries))) };
}

/** True if an entry has thinking that a provider may have bound to what comes before it. */
const hasBoundThinking = ({ blocks }: IContent): boolean =>
  blocks.some(
    (block) => block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined),
  );
