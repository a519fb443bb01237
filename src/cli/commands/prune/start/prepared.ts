import type { IContent } from '../../../../content/content.ts';
import { liveHistory } from '../../../../formats/contract.ts';
import { recordedCalls } from '../../../../lab/recorded-bill.ts';
import type { SmallerHistory } from '../../../../replay/smaller.ts';
import type { Rewritten } from '../../../../sessions/rewritten.ts';
import { createEphemerals, resolveSetting, type SettingLayers } from '../../../../settings/resolve.ts';
import { modelOf, rewrittenFile, type SessionFile } from '../../../options/session-file.ts';
import { type Installation, installationOf, placeOf, sameInstallation } from '../../../output/installation.ts';
import type { OutputTarget } from '../../../output/output-target.ts';
import { transcriptPath } from '../../../output/transcript.ts';
import { openForWriting } from '../../../output/written-session.ts';
import { smallerContext } from '../smaller-context.ts';
import { type ResumeCost, resumeCost } from './resume-cost.ts';

/** A session in the place of the one that is resumed. */
export interface Copy {
  readonly installation: Installation;
  readonly after: readonly IContent[];
  /** The session as it is to be written. */
  readonly rewrote: Rewritten;
  /** True if an earlier run wrote it, and no agent continued it. */
  readonly isWritten: boolean;
}

interface Asked {
  /** The model that the person named. */
  readonly asked: string | undefined;
  /** True: prune also where that costs more than it saves. */
  readonly isAlways: boolean;
  /** True: no folder is made for the copy. */
  readonly isTrial: boolean;
  readonly layers: SettingLayers;
}

/** A session that is about to be resumed, and perhaps another one in its place. */
export interface Prepared {
  readonly opened: SessionFile;
  readonly target: OutputTarget;
  /** As its model saw it. */
  readonly before: readonly IContent[];
  readonly made: SmallerHistory;
  readonly cost: ResumeCost;
  readonly isPruned: boolean;
  /** Entries that its model saw in other forms than the session contains. */
  readonly sentForms: number;
  /** Absent if the session is to be resumed as it is. */
  readonly copy?: Copy;
  readonly now: Date;
  readonly layers: SettingLayers;
}

/**
 * Reads the session at this path, and says what takes its place: it with the texts that were sent, pruned if that pays or `always`.
 * @throws CompressionStrategyError as `openForWriting` and `installationOf` do.
 */
export async function prepared(file: string, { asked, isAlways, isTrial, layers }: Asked): Promise<Prepared> {
  const now = new Date();
  let own: Installation | undefined;
  const place = (session: SessionFile): string => {
    own = installationOf(session, now);
    return isTrial ? '-' : placeOf(own);
  };
  const { opened, target } = await openForWriting(file, { output: place });
  const { session, recorded, format } = opened;
  const before = liveHistory(session);
  const model = modelOf(asked, recordedCalls(session).at(-1)?.model ?? session.model);
  const made = await smallerContext(opened, {
    before,
    model,
    engine: resolveSetting(layers, 'compression.engine'),
    ephemerals: createEphemerals(layers, { model }),
    compress: false,
    summarizer: undefined,
    transcriptPath: transcriptPath(target, { source: opened, now, isInstalled: true }),
  });
  const cost = resumeCost({ session, agent: format.name, model, before, after: made.history, nowMs: now.getTime() });
  const { asItIs, pruned, decision } = cost;
  const isPruned = pruned.tokens < asItIs.tokens && (isAlways || decision.apply.length > 0);
  const recordedHistory = liveHistory(recorded);
  const sentForms = before.filter((entry, at) => entry !== recordedHistory[at]).length;
  const all: Prepared = { opened, target, before, made, cost, isPruned, sentForms, now, layers };
  return isPruned || sentForms > 0 ? { ...all, copy: await copyOf(all, own!) } : all;
}

/** The session with the texts that were sent, pruned if that pays. */
async function copyOf({ opened, before, made, isPruned, now }: Prepared, own: Installation): Promise<Copy> {
  const after = isPruned ? made.history : before;
  const rewrote = await rewrittenFile(opened, after);
  const { installation, known } = sameInstallation(opened, { own, step: rewrote.step, now });
  return { installation, after, rewrote, isWritten: known !== undefined };
}
