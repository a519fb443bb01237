import type { SummarizerAccess } from '../../../gate/options.ts';
import { type ReplayOptions, replaySession } from '../../../replay/replay.ts';
import type { ReplayPolicy, ReplayResult } from '../../../replay/result.ts';
import type { Ephemerals } from '../../../strategies/contract.ts';
import { strategyFor } from '../../options/policies.ts';
import type { SessionSource } from '../../options/session-file.ts';
import { engineNotices } from '../../terminal/engine-notices.ts';
import type { Progress } from '../../terminal/progress.ts';

/** One of the plays of a session, which share a bar. */
interface StrategyPlay extends ReplayPolicy {
  readonly ephemerals: Ephemerals;
  readonly summarizer: SummarizerAccess | undefined;
  readonly progress: Progress;
  /** Events of the plays before it. */
  readonly eventsBefore: number;
}

/** The session played under one strategy, on a clock of its own; `hearing` hears of it meanwhile. */
export function playStrategy(
  { session, format: { vocabulary } }: SessionSource,
  { ephemerals, summarizer, progress, eventsBefore, ...policy }: StrategyPlay,
  hearing: Pick<ReplayOptions, 'onTurn' | 'onEngineStats' | 'ledger'>,
): Promise<ReplayResult> {
  let events = eventsBefore;
  return replaySession(session, policy, {
    ...hearing,
    createStrategy: (name) => strategyFor(name, { vocabulary, hasModel: summarizer !== undefined }),
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
