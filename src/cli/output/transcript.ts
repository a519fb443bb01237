import { existsSync } from 'node:fs';
import path from 'node:path';
import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import type { PendingFile } from '../../disk/pending-file.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { type Line, liveHistory } from '../../formats/contract.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { linesOf, parseLine } from '../../formats/lines/lines.ts';
import { FileTranscript } from '../../gate/file-transcript.ts';
import { copyTranscript } from '../../sessions/copies/family.ts';
import type { Installed } from '../../sessions/copies/written-copy.ts';
import { dataFolder } from '../../sessions/places/data-folder.ts';
import { TRANSCRIPT_SUFFIX } from '../../sessions/places/transcript-file.ts';
import { isRemovalStep, type RemovalStep } from '../../sessions/removal-step.ts';
import type { SessionFile } from '../options/session-file.ts';
import type { OutputTarget } from './output-target.ts';

/** A path beside the output, or in the user's data folder if the output is not a file or `isInstalled`. */
export function transcriptPath(
  target: OutputTarget,
  { source: { bytes }, now, isInstalled }: Pick<Run, 'source' | 'now'> & { readonly isInstalled: boolean },
): string {
  if (target.kind === 'file') return isInstalled ? copyTranscript(target.path) : `${target.path}${TRANSCRIPT_SUFFIX}`;
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return path.join(dataFolder(), 'transcripts', `${path.basename(bytes.path)}.${time}.jsonl`);
}

/** One run of a command that removes entries from a session. */
interface Run {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly step: RemovalStep;
  readonly source: SessionFile;
  readonly now: Date;
  /** Present if the smaller session is where its agent finds it. */
  readonly installed?: Installed | undefined;
}

/**
 * The removed entries of a run, to be appended to the transcript: a session in our own format that `density inspect` reads.
 * Its header says how to undo the run (docs/readings.md, row 22). `undefined` if nothing was removed.
 * @throws CompressionStrategyError `OUTPUT_FAILED`, also if the file is the session itself.
 */
export function pendingTranscript(
  file: string,
  { before, after, step, source: { session, bytes }, now, installed }: Run,
): PendingFile | undefined {
  const kept = new Set(after);
  const removed = before.filter((entry) => !kept.has(entry));
  if (removed.length === 0) return undefined;
  if (existsSync(file) && fileBytes(file).identity === bytes.identity) {
    throw new CompressionStrategyError(
      `Expected a file for the removed entries, but ${file} is the session itself, which never changes. Name another output.`,
      'OUTPUT_FAILED',
    );
  }
  const transcript = new FileTranscript(file, {
    id: session.id ?? path.basename(bytes.path),
    ...(session.model !== undefined && { model: session.model }),
    ...(session.workspaceRoot !== undefined && { workspaceRoot: session.workspaceRoot }),
    startedAt: now.getTime(),
  });
  return {
    async commit() {
      try {
        await transcript.append(removed, { taken: step, ...(installed && { installed }) });
      } catch (cause) {
        throw new CompressionStrategyError(
          `Expected to write ${file}, but ${reasonOf(cause)}. The session was not written.`,
          'OUTPUT_FAILED',
          { cause },
        );
      }
    },
    discard: async () => {},
  };
}

/** A run as its transcript describes it. */
interface WrittenRun {
  readonly step: RemovalStep;
  readonly removed: readonly IContent[];
}

/**
 * The runs in a transcript, the last one first. A run may be incomplete if its writing was interrupted.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` for a missing file, or one that no run wrote.
 */
export function* writtenRuns(file: string): Generator<WrittenRun> {
  const runs: { readonly step: RemovalStep; readonly lines: Line[] }[] = [];
  for (const line of linesOf(() => fileBytes(file).chunks())) {
    const parsed = parseLine(line);
    const step = parsed.kind === 'json' && isRecord(parsed.value) ? parsed.value['taken'] : undefined;
    if (isRemovalStep(step)) runs.push({ step, lines: [] });
    runs.at(-1)?.lines.push(line);
  }
  if (runs.length === 0) {
    throw new CompressionStrategyError(
      `Expected a transcript that \`density optimize\` wrote in ${file}, got a file that does not say what was removed.`,
      'SESSION_UNREADABLE',
    );
  }
  for (const { step, lines } of runs.reverse()) yield { step, removed: liveHistory(highDensity.read(lines)) };
}
