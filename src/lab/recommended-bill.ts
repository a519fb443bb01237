import { cachedFileAccess } from '../content/files/cached-file-access.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { PauseLengths } from '../economics/warm/pause-lengths.ts';
import type { Session } from '../formats/contract.ts';
import type { ContextMove } from '../replay/context-move.ts';
import { RECOMMENDED } from '../settings/recommended.ts';
import { createEphemerals } from '../settings/resolve.ts';
import { type BilledPlay, type PlayedBill, playedBill } from './played/played-bill.ts';
import { PolicyRun } from './policy-run.ts';

export interface BilledSession extends BilledPlay {
  readonly session: Session;
  readonly vocabulary: ToolVocabulary;
  /** The repository of a recorded session, whose own length the decision must not know. */
  readonly repository?: string | undefined;
  /** Keeps the prompt cache warm; absent: sends no ping. */
  readonly keepsWarm?: PauseLengths | undefined;
}

/** Simulated US dollars of the recorded calls without copied ones, and what was saved by cause. `moves`: what `recommended` changed. */
export interface RecommendedBill extends Pick<PlayedBill, 'savedBy' | 'calls'> {
  readonly without: number;
  readonly recommended: number;
  readonly moves: readonly ContextMove[];
  /** Of which dollars for pings in pauses, and what those would cost if the agent was left open and nobody came back. */
  readonly pingDollars: number;
  readonly leftOpenDollars: number;
}

/** The profile `recommended` on a session, from its start on. */
export function recommendedRun(billed: BilledSession): PolicyRun {
  const { session, model, cacheMinutes } = billed;
  const timing = cacheMinutes === undefined ? {} : { 'compression.density.cacheMinutes': cacheMinutes };
  return new PolicyRun(session, {
    ...billed,
    ephemerals: createEphemerals([RECOMMENDED, timing], { model }),
    // A smaller context after a compression would be compared with a larger one that kept more.
    compresses: false,
    fileAccess: cachedFileAccess(),
  });
}

/** What the recorded calls cost, at their recorded times, without pruning and with the profile `recommended`; both are simulated. */
export async function recommendedBill(billed: BilledSession): Promise<RecommendedBill> {
  const { session } = billed;
  const run = recommendedRun(billed);
  const moves = await run.play(session);
  const { dollarsRaw, dollars, ...bill } = playedBill(session, moves, billed, run.pings);
  const pingDollars = [...run.pings.values()].reduce((sum, pause) => sum + pause.dollars, 0);
  const leftOpenDollars = run.leftOpen().dollars;
  return { ...bill, without: dollarsRaw, recommended: dollars, moves, pingDollars, leftOpenDollars };
}
