import { existsSync } from 'node:fs';
import path from 'node:path';
import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { fileBytes, reasonOf } from '../../disk/file-bytes.ts';
import type { PendingFile } from '../../disk/pending-file.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { type Line, liveHistory } from '../../formats/contract.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { linesOf, parseLine } from '../../formats/lines/lines.ts';
import { FileTranscript } from '../../gate/file-transcript.ts';
import { dataFolder } from '../../sessions/places/data-folder.ts';
import type { TakenStep } from '../../sessions/taken-step.ts';
import type { SessionFile } from '../options/session-file.ts';
import type { OutputTarget } from './output-target.ts';

/** Beside the output, or in the user's data folder where the output has no place of its own. */
export function transcriptPath(target: OutputTarget, { bytes }: SessionFile, now: Date): string {
  if (target.kind === 'file') return `${target.path}.transcript.jsonl`;
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return path.join(dataFolder(), 'transcripts', `${path.basename(bytes.path)}.${time}.jsonl`);
}

/** One run of a command that took something out of a session. */
interface Run {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly step: TakenStep;
  readonly source: SessionFile;
  readonly now: Date;
}

/**
 * What a run took away, ready to be appended to the transcript behind what it holds already: a session of our own
 * format that `density inspect` reads, whose header says how to undo the run (docs/readings.md, row 22). `undefined`: nothing
 * was taken away.
 * @throws CompressionStrategyError `OUTPUT_FAILED`, also when the file is the session itself, which is never written to.
 */
export function pendingTranscript(
  file: string,
  { before, after, step, source: { session, bytes }, now }: Run,
): PendingFile | undefined {
  const stays = new Set(after);
  const taken = before.filter((entry) => !stays.has(entry));
  if (taken.length === 0) return undefined;
  if (existsSync(file) && fileBytes(file).identity === bytes.identity) {
    throw new CompressionStrategyError(
      `Expected a place for what is taken out, but ${file} is the session itself, which is never changed. Name another output.`,
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
        await transcript.append(taken, { taken: step });
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

function isTakenStep(value: unknown): value is TakenStep {
  if (!isRecord(value)) return false;
  const { entriesBefore, entriesAfter, kept, replaced, digest } = value;
  const isCount = (number: unknown): boolean => Number.isSafeInteger(number) && Number(number) >= 0;
  const areCounts = (rows: unknown, length: number): boolean =>
    Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === length && row.every(isCount));
  return (
    isCount(entriesBefore) &&
    isCount(entriesAfter) &&
    areCounts(kept, 3) &&
    areCounts(replaced, 2) &&
    typeof digest === 'string'
  );
}

/** A run that a command wrote down: what it did, and the entries that it took away. */
export interface WrittenRun {
  readonly step: TakenStep;
  readonly taken: readonly IContent[];
}

/**
 * The runs in a transcript, the last one first; one whose writing was interrupted may be among them.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when there is no such file, or none that a run wrote.
 */
export function* writtenRuns(file: string): Generator<WrittenRun> {
  const runs: { readonly step: TakenStep; readonly lines: Line[] }[] = [];
  for (const line of linesOf(() => fileBytes(file).chunks())) {
    const parsed = parseLine(line);
    const step = parsed.kind === 'json' && isRecord(parsed.value) ? parsed.value['taken'] : undefined;
    if (isTakenStep(step)) runs.push({ step, lines: [] });
    runs.at(-1)?.lines.push(line);
  }
  if (runs.length === 0) {
    throw new CompressionStrategyError(
      `Expected a transcript that \`density optimize\` or \`density compress\` wrote in ${file}, got a file that does not say what was taken away.`,
      'SESSION_UNREADABLE',
    );
  }
  for (const { step, lines } of runs.reverse()) yield { step, taken: liveHistory(highDensity.read(lines)) };
}
