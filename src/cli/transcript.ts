import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { IContent } from '../content/content.ts';
import { isRecord } from '../content/vocabulary.ts';
import { CompressionStrategyError } from '../errors.ts';
import { type Line, liveHistory } from '../formats/contract.ts';
import { highDensity } from '../formats/high-density.ts';
import { linesOf, parseLine } from '../formats/lines.ts';
import { fileBytes } from '../replay/file-bytes.ts';
import { type TakenStep, takenStep } from '../replay/taken-step.ts';
import { dataFolder } from './data-folder.ts';
import type { OutputTarget } from './output-target.ts';
import { type PendingFile, pendingFile } from './pending-file.ts';
import type { SessionFile } from './session-file.ts';

const NEWLINE = 10;

/** Beside the output, or in the user's data folder where the output has no place of its own. */
export function transcriptPath(target: OutputTarget, { bytes }: SessionFile, now: Date): string {
  if (target.kind === 'file') return `${target.path}.transcript.jsonl`;
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return path.join(dataFolder(), 'transcripts', `${path.basename(bytes.path)}.${time}.jsonl`);
}

function* earlier(file: string): Generator<Uint8Array> {
  if (!existsSync(file)) return;
  let last = NEWLINE;
  for (const chunk of fileBytes(file).chunks()) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== NEWLINE) yield new Uint8Array([NEWLINE]);
}

/** One run of a command that took something out of a session. */
interface Run {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly source: SessionFile;
  readonly now: Date;
}

/**
 * The transcript with what a run took away behind what it holds already, ready to be put in place: a session of our own
 * format that `density inspect` reads, whose header says how to undo the run. Every earlier run keeps its part
 * (DESIGN 4, row 22). `undefined`: nothing was taken away.
 * @throws CompressionStrategyError `OUTPUT_FAILED`, also when the file is the session itself, which is never written to.
 */
export async function pendingTranscript(
  file: string,
  { before, after, source: { session, bytes }, now }: Run,
): Promise<PendingFile | undefined> {
  const stays = new Set(after);
  const taken = before.filter((entry) => !stays.has(entry));
  if (taken.length === 0) return undefined;
  const header = {
    id: session.id ?? path.basename(bytes.path),
    ...(session.model !== undefined && { model: session.model }),
    ...(session.workspaceRoot !== undefined && { workspaceRoot: session.workspaceRoot }),
    startedAt: now.getTime(),
    taken: takenStep(before, after),
  };
  function* pieces(): Generator<Uint8Array> {
    yield* earlier(file);
    yield* highDensity.create!(taken, header);
  }
  if (existsSync(file) && fileBytes(file).identity === bytes.identity) {
    throw new CompressionStrategyError(
      `Expected a place for what is taken out, but ${file} is the session itself, which is never changed. Name another output.`,
      'OUTPUT_FAILED',
    );
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // It holds what the session held, so nobody else may read it who may not read that.
  return pendingFile(file, pieces(), { mode: (bytes.mode & 0o700) | 0o600, mayReplace: true });
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

/**
 * The last run in a transcript, and the entries that it took away.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` when there is no such file, or none that a run wrote whole.
 */
export function lastRun(file: string): { readonly step: TakenStep; readonly taken: readonly IContent[] } {
  let step: TakenStep | undefined;
  let lines: Line[] = [];
  for (const line of linesOf(() => fileBytes(file).chunks())) {
    const parsed = parseLine(line);
    if (parsed.kind === 'json' && isRecord(parsed.value) && 'taken' in parsed.value) {
      step = isTakenStep(parsed.value['taken']) ? parsed.value['taken'] : undefined;
      lines = [];
    }
    lines.push(line);
  }
  if (step === undefined) {
    throw new CompressionStrategyError(
      `Expected a transcript that \`density optimize\` or \`density compress\` wrote in ${file}, got a file that does not say what was taken away.`,
      'SESSION_UNREADABLE',
    );
  }
  return { step, taken: liveHistory(highDensity.read(lines)) };
}
