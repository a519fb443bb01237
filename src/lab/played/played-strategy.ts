import type { Session } from '../../formats/contract.ts';
import type { ContextMove } from '../../replay/context-move.ts';
import { type ReplayOptions, replaySession } from '../../replay/replay.ts';
import type { ReplayResult, ReplaySetup } from '../../replay/result.ts';
import { NO_STRATEGY } from '../../replay/strategy-layers.ts';
import type { SessionWorth, WorthQuestion } from './session-worth.ts';

/** A session under one strategy; without a worth where nothing is removed by design. */
export interface PlayedStrategy {
  readonly result: ReplayResult;
  readonly worth?: SessionWorth;
}

export interface PlayOptions extends Omit<ReplayOptions, 'onMove'> {
  readonly worthOf: (question: WorthQuestion) => SessionWorth | Promise<SessionWorth>;
}

/** Plays a session under one strategy, and says what that was worth. @throws as `replaySession` */
export async function playedStrategy(
  session: Session,
  policy: ReplaySetup,
  { worthOf, ...options }: PlayOptions,
): Promise<PlayedStrategy> {
  const moves: ContextMove[] = [];
  const result = await replaySession(session, policy, { ...options, onMove: (move) => moves.push(move) });
  if (policy.strategy === NO_STRATEGY) return { result };
  const cacheMinutes = options.ephemerals.densityCacheMinutes?.();
  return { result, worth: await worthOf({ session, moves, model: policy.model, cacheMinutes }) };
}
