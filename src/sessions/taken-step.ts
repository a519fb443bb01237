import { createHash } from 'node:crypto';
import type { IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';

/**
 * What became of a history in one step, by position, so that the entries taken away are all that is needed to go back.
 * Each of `kept` is the start of a run before and after the step, and its length.
 */
export interface TakenStep {
  readonly entriesBefore: number;
  readonly entriesAfter: number;
  readonly kept: readonly (readonly [before: number, after: number, length: number])[];
  /** Where an entry stood that was taken away, and where what was left of it stands. */
  readonly replaced: readonly (readonly [before: number, after: number])[];
  /** Of what the kept entries say. */
  readonly digest: string;
}

/** SHA-256 of who says what, ids and other facts aside. */
function digestOf(entries: readonly IContent[]): string {
  const hash = createHash('sha256');
  for (const { speaker, blocks } of entries) hash.update(`${JSON.stringify([speaker, blocks])}\n`);
  return hash.digest('hex');
}

/**
 * The step that led from one history to the other. An entry is kept where it is the same object, and replaced where only
 * its id is the same. Linear.
 */
export function takenStep(before: readonly IContent[], after: readonly IContent[]): TakenStep {
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
 * The history before a step: `now` with `taken`, the entries that the step took away, in their places, and what was
 * added since behind them. What stands in `now` keeps its identity.
 * @throws CompressionStrategyError `HISTORY_CHANGED` when `now` does not begin with what the step left.
 */
export function untaken(now: readonly IContent[], step: TakenStep, taken: readonly IContent[]): IContent[] {
  const restored = new Array<IContent | undefined>(step.entriesBefore).fill(undefined);
  for (const [before, after, length] of step.kept) {
    for (let index = 0; index < length; index++) restored[before + index] = now[after + index];
  }
  const stood = restored.filter((entry) => entry !== undefined);
  const keptCount = step.kept.reduce((sum, [, , length]) => sum + length, 0);
  const isWhole = stood.length === keptCount && keptCount + taken.length === step.entriesBefore;
  if (!isWhole || now.length < step.entriesAfter || digestOf(stood) !== step.digest) {
    throw new CompressionStrategyError(
      `Expected a session that begins with the ${step.entriesAfter} entries that the step left, got another. Name the session that was written with this transcript.`,
      'HISTORY_CHANGED',
    );
  }
  let next = 0;
  return [...restored.map((entry) => entry ?? taken[next++]!), ...now.slice(step.entriesAfter)];
}
