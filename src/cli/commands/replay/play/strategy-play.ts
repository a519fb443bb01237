import type { SummarizerAccess } from '../../../../gate/options.ts';
import { type PlayedStrategy, type PlayOptions, playedStrategy } from '../../../../lab/played/played-strategy.ts';
import type { ReplaySetup } from '../../../../replay/result.ts';
import type { Ephemerals } from '../../../../strategies/contract.ts';
import type { SessionSource } from '../../../options/session-file.ts';
import { strategyFor } from '../../../options/strategies.ts';
import { engineNotices } from '../../../terminal/engine-notices.ts';
import type { Progress } from '../../../terminal/progress.ts';

/** One of several plays of a session that share a progress bar. */
interface StrategyPlay extends ReplaySetup {
  readonly ephemerals: Ephemerals;
  readonly summarizer: SummarizerAccess | undefined;
  readonly progress: Progress;
  /** Events of all earlier plays. */
  readonly eventsBefore: number;
}

/** Plays a session under one strategy, measures real time, and what the play was worth. */
export function playStrategy(
  { session, format: { vocabulary } }: SessionSource,
  { ephemerals, summarizer, progress, eventsBefore, ...policy }: StrategyPlay,
  listeners: Pick<PlayOptions, 'worthOf' | 'onTurn' | 'onEngineStats' | 'ledger'>,
): Promise<PlayedStrategy> {
  let events = eventsBefore;
  return playedStrategy(session, policy, {
    ...listeners,
    createStrategy: (name) =>
      strategyFor(name, { vocabulary, hasModel: summarizer !== undefined, option: '--provider' }),
    ...(summarizer && { summarizer }),
    ephemerals,
    clock: () => performance.now(),
    onProgress: (done) => {
      events = eventsBefore + done;
      progress.update(events);
    },
    engineListener: engineNotices({ ...progress, update: (share) => progress.update(events + share) }),
  });
}
