import type { IContent } from '../../content/content.ts';
import { costRules } from '../../economics/cost-rules.ts';
import { decide } from '../../economics/decide.ts';
import type { DecisionCause, WaitingConversation } from '../../economics/decision.ts';
import type { DensityResult, Ephemerals } from '../../strategies/contract.ts';
import { onlyEntries, waitingEdits } from './waiting-edits.ts';

/** A history before a send, as the decision about its edits needs it. */
export interface PruningMoment
  extends Pick<WaitingConversation, 'tokens' | 'constantTokens' | 'pendingTokens' | 'sentEntries' | 'idleMs'> {
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
export interface PruningDecision {
  /** Absent: nothing applies now. */
  readonly result?: DensityResult;
  readonly cause: DecisionCause;
  readonly reason: string;
  /** Tokens of the edits that wait. */
  readonly waitingTokens: number;
  /** US dollars that applying is expected to save. */
  readonly expectedNet: number;
}

/** The part of a result to apply now, by the costs of the model. Linear in entries. */
export function pruningDecision(result: DensityResult, moment: PruningMoment): PruningDecision {
  const { history, tokens, ephemerals, constantTokens, pendingTokens, sentEntries, idleMs } = moment;
  const callsMade = history.reduce((count, { speaker }) => (speaker === 'ai' ? count + 1 : count), 0);
  const cacheMinutes = ephemerals.densityCacheMinutes?.();
  const rules = costRules({
    model: moment.model,
    agent: moment.agent,
    callsMade,
    lifetimeMs: cacheMinutes === undefined ? undefined : cacheMinutes * 60_000,
    thresholdTokens: moment.thresholdTokens,
    exceptRepository: moment.exceptRepository,
  });
  const lastThinkingAt = rules.cache.bindsThinking ? history.findLastIndex(hasBoundThinking) : -1;
  const edits = waitingEdits(history, result, tokens);
  const conversation = { tokens, constantTokens, pendingTokens, sentEntries, idleMs, lastThinkingAt, callsMade };
  const { apply, cause, reason, expectedNet } = decide(conversation, edits, rules);
  const applied = new Set(apply);
  const waitingTokens = edits.reduce((sum, edit) => (applied.has(edit) ? sum : sum + edit.savedTokens), 0);
  const told = { cause, reason, waitingTokens, expectedNet };
  if (apply.length === 0) return told;
  if (apply.length === edits.length) return { ...told, result };
  return { ...told, result: onlyEntries(result, new Set(apply.flatMap(({ entries }) => entries))) };
}

/** True if an entry has thinking that a provider may have bound to what comes before it. */
const hasBoundThinking = ({ blocks }: IContent): boolean =>
  blocks.some(
    (block) => block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined),
  );
