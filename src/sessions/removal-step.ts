import { createHash } from 'node:crypto';
import type { IContent } from '../content/content.ts';
import { counted } from '../content/counted.ts';
import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';
import { type FileUndo, isCount, isFileUndo } from './file-undo.ts';

/**
 * What one step changed in a history, by position. With the removed entries it is enough to undo the step.
 * Each of `kept` is the start of a run before and after the step, and its length.
 */
export interface RemovalStep {
  readonly entriesBefore: number;
  readonly entriesAfter: number;
  readonly kept: readonly (readonly [before: number, after: number, length: number])[];
  /** Position of each replaced entry, and position of its replacement. */
  readonly replaced: readonly (readonly [before: number, after: number])[];
  /** SHA-256 of the kept entries. */
  readonly digest: string;
  /** The change of the file itself; absent in transcripts written before 0.2 and by a running conversation. */
  readonly file?: FileUndo;
}

/** SHA-256 of speakers and blocks, without metadata. */
function digestOf(entries: readonly IContent[]): string {
  const hash = createHash('sha256');
  for (const { speaker, blocks } of entries) hash.update(`${JSON.stringify([speaker, blocks])}\n`);
  return hash.digest('hex');
}

/**
 * The step from `before` to `after`. An entry is kept if it is the same object, and replaced if only its id is the same.
 * Linear.
 */
export function removalStep(before: readonly IContent[], after: readonly IContent[]): RemovalStep {
  const places = new Map(after.map((entry, index) => [entry, index]));
  const placesById = new Map(after.map(({ metadata }, index) => [metadata?.id, index]));
  const kept: [number, number, number][] = [];
  const replaced: [number, number][] = [];
  const entries: IContent[] = [];
  for (const [index, entry] of before.entries()) {
    const place = places.get(entry);
    if (place === undefined) {
      const rest = entry.metadata?.id === undefined ? undefined : placesById.get(entry.metadata.id);
      if (rest !== undefined) replaced.push([index, rest]);
      continue;
    }
    entries.push(entry);
    const run = kept.at(-1);
    if (run && run[0] + run[2] === index && run[1] + run[2] === place) run[2]++;
    else kept.push([index, place, 1]);
  }
  return { entriesBefore: before.length, entriesAfter: after.length, kept, replaced, digest: digestOf(entries) };
}

/**
 * The history before `step`: `now` with the `removed` entries at their old positions, then the entries added since.
 * Entries of `now` keep their identity.
 * @throws CompressionStrategyError `HISTORY_CHANGED` when `now` does not begin with the result of the step.
 */
export function restoredHistory(now: readonly IContent[], step: RemovalStep, removed: readonly IContent[]): IContent[] {
  const restored = new Array<IContent | undefined>(step.entriesBefore).fill(undefined);
  for (const [before, after, length] of step.kept) {
    for (let index = 0; index < length; index++) restored[before + index] = now[after + index];
  }
  const kept = restored.filter((entry) => entry !== undefined);
  const keptCount = step.kept.reduce((sum, [, , length]) => sum + length, 0);
  const isWhole = kept.length === keptCount && keptCount + removed.length === step.entriesBefore;
  if (!isWhole || now.length < step.entriesAfter || digestOf(kept) !== step.digest) {
    throw new CompressionStrategyError(
      `Expected a session that begins with the ${counted(step.entriesAfter, 'entry', 'entries')} that the step left, got another. Name the session that was written with this transcript.`,
      'HISTORY_CHANGED',
    );
  }
  let next = 0;
  return [...restored.map((entry) => entry ?? removed[next++]!), ...now.slice(step.entriesAfter)];
}

/** True for a value that `removalStep` may have made. */
export function isRemovalStep(value: unknown): value is RemovalStep {
  if (!isRecord(value)) return false;
  const { entriesBefore, entriesAfter, kept, replaced, digest, file } = value;
  const areCounts = (rows: unknown, length: number): boolean =>
    Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === length && row.every(isCount));
  return (
    isCount(entriesBefore) &&
    isCount(entriesAfter) &&
    areCounts(kept, 3) &&
    areCounts(replaced, 2) &&
    typeof digest === 'string' &&
    (file === undefined || isFileUndo(file))
  );
}
