import type { IContent } from '../../../src/content/content.ts';
import { rulesOfModel } from '../../../src/strict-provider/models.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import type { RecordedCall } from '../live/recorded-calls.ts';
import { isSame } from '../live/sent-list.ts';
import type { CreatePruner } from './baseline.ts';
import type { CompactedModel } from './compacted-models.ts';
import { type Answer, Side } from './side.ts';

export interface CompactionsOptions {
  readonly provider: StrictProvider;
  readonly played: CompactedModel;
  readonly workspaceRoot: string;
  readonly agent: string;
  readonly createPruner: CreatePruner;
  /** The pruner of another build, which plays the same requests. */
  readonly baseline?: CreatePruner | undefined;
}

const NOTHING = {
  calls: 0,
  /** Requests for a summary; those with other tools; those whose originals the provider refuses. */
  summaries: 0,
  withOtherTools: 0,
  beyond: 0,
  /** Requests of the other build that the provider refuses. */
  baselineRefused: 0,
  /** Requests, for a summary or not, that were refused, and were not without the pruner. */
  refused: 0,
  /** Requests for a summary that read less than all that the last request has in the cache, and do not without the pruner. */
  missed: 0,
  /** Elements that a request for a summary has in another form than the last request. */
  changedInSummaries: 0,
  /** Elements that were sent in another form outside an epoch. */
  changedPrefixes: 0,
  droppedThinking: 0,
  /** Summaries that quote a marker of ours, and requests in which it was sent. */
  quoted: 0,
  markersSent: 0,
  /** Bills of the requests that were accepted of both: without the pruner and with it, by the other build and by this one. */
  plainDollars: 0,
  dollars: 0,
  baselineDollars: 0,
  pairedDollars: 0,
  /** Of `baselineDollars` and `pairedDollars`, those for summaries, and how many these were. */
  baselineSummaryDollars: 0,
  pairedSummaryDollars: 0,
  pairedSummaries: 0,
};

/** What came of one session with one model. */
export type CompactionsPlayed = Readonly<typeof NOTHING>;

/**
 * Plays the calls of a session as it is, pruned, and pruned by another build, with a request for a summary at the call after
 * each epoch of either (without one, after two thirds of the calls), from which the agent then goes on.
 */
export async function playCompactions(
  calls: readonly RecordedCall[],
  { provider, played, createPruner, baseline, ...facts }: CompactionsOptions,
): Promise<CompactionsPlayed> {
  let nowMs = 0;
  const sideOf = (account: string, create?: CreatePruner): Side => {
    const options = { api: played.api, ...facts, archive: async () => {}, mostMs: MAX_MS, now: () => nowMs };
    return new Side({ provider, played, account, pruner: create?.(options), nowMs: () => nowMs });
  };
  const [plain, own] = [sideOf('plain'), sideOf('pruned', createPruner)];
  const other = baseline && sideOf('baseline', baseline);
  const sides = [plain, own, ...(other ? [other] : [])];
  const counts = { ...NOTHING, calls: calls.length };
  const { bindsThinking = false } = rulesOfModel(played.model);
  const bill = ([without, pruned, others]: readonly Answer[], isSummary = false): void => {
    const [before, after, compared] = [without, pruned, others].map((one) => one?.dollars);
    if (before !== undefined && after !== undefined) {
      counts.plainDollars += before;
      counts.dollars += after;
    }
    if (compared === undefined || after === undefined) return;
    counts.baselineDollars += compared;
    counts.pairedDollars += after;
    if (!isSummary) return;
    counts.baselineSummaryDollars += compared;
    counts.pairedSummaryDollars += after;
    counts.pairedSummaries++;
  };
  let [past, before]: (readonly IContent[])[] = [[], []];
  let [isDue, hadEpoch] = [false, false];
  for (const [at, { entries, answerId, says, atMs }] of calls.entries()) {
    nowMs = atMs;
    if (!startsWith(entries, before!)) {
      // The recorded agent wrote a summary of its own, or its user went back.
      [past, isDue] = [[], false];
      for (const side of sides) side.startAgain();
    }
    if (isDue) {
      isDue = false;
      const hasOtherTools = !bindsThinking && counts.summaries % 2 === 1;
      const asked = [];
      for (const side of sides) asked.push(await side.summary(entries.slice(past!.length), hasOtherTools));
      const [without, pruned, others] = asked;
      counts.summaries++;
      if (hasOtherTools) counts.withOtherTools++;
      if (!without!.isAccepted && pruned!.isAccepted) counts.beyond++;
      if (without!.isAccepted && !pruned!.isAccepted) counts.refused++;
      if (others?.isAccepted === false) counts.baselineRefused++;
      if (!hasOtherTools && without!.isRead && !pruned!.isRead) counts.missed++;
      counts.changedInSummaries += pruned!.changed;
      bill(asked, true);
      if (played.goesOn === 'always' || !without!.isAccepted) {
        for (const side of sides) side.goOn();
        past = entries;
      }
    }
    before = entries;
    const answers = [];
    for (const side of sides) answers.push(await side.call(entries.slice(past!.length), answerId, says));
    const [without, pruned] = answers;
    bill(answers);
    if (without!.isAccepted && !pruned!.isAccepted) counts.refused++;
    // As Claude Code does: without its earlier thinking the conversation goes on.
    if (without!.isUnbound) for (const side of sides) side.forget();
    const isEpoch = answers.some((one) => one.isEpoch);
    hadEpoch ||= isEpoch;
    const isLate = !hadEpoch && at === Math.floor((calls.length * 2) / 3);
    isDue ||= isEpoch || isLate || (!without!.isAccepted && pruned!.isAccepted);
  }
  const { changedPrefixes, droppedThinking, quoted, markersSent } = own.counts;
  const lost = Math.max(0, droppedThinking - plain.counts.droppedThinking);
  return { ...counts, changedPrefixes, quoted, markersSent, droppedThinking: lost };
}

/** Nothing may depend on how fast this computer is. */
const MAX_MS = Number.POSITIVE_INFINITY;

const startsWith = (entries: readonly IContent[], start: readonly IContent[]): boolean =>
  start.length === 0 ||
  (entries.length >= start.length && [0, start.length - 1].every((at) => isSame(entries[at], start[at])));
