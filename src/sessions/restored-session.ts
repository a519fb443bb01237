import { isDeepStrictEqual } from 'node:util';
import { pairSafeIndex } from '../content/calls/boundary.ts';
import { pairCalls } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
import { fencedCode } from '../formats/blocks/opaque-block.ts';
import { type Line, liveHistory, type SessionChange, type SessionFormat } from '../formats/contract.ts';
import { joinLines, linesOf } from '../formats/lines/lines.ts';
import { undoneFile } from './file-undo.ts';
import { type RemovalStep, restoredHistory } from './removal-step.ts';

/** The entry without an id, so that a format writes it as a new one. */
function asNew({ metadata, ...entry }: IContent): IContent {
  const { id: _id, ...facts } = metadata ?? {};
  return { ...entry, metadata: facts };
}

/** The entry with the id of the shortened entry that it replaces in the file. */
const inPlaceOf = (entry: IContent, shortened: IContent | undefined): IContent =>
  shortened?.metadata?.id === undefined
    ? asNew(entry)
    : { ...entry, metadata: { ...entry.metadata, id: shortened.metadata.id } };

/** A block as a model reads it: code is fenced text, a result is text, and provider metadata is left out. */
function saidBy(block: ContentBlock): ContentBlock {
  if (block.type === 'code') return { type: 'text', text: fencedCode(block) };
  if (block.type !== 'tool_response') return block;
  const { providerMetadata: _noted, result, ...said } = block;
  return { ...said, result: typeof result === 'string' ? result : JSON.stringify(result) };
}

/** Speakers and blocks of a history as plain JSON values, without metadata. */
const saidIn = (history: readonly IContent[]): unknown =>
  JSON.parse(JSON.stringify(history.map(({ speaker, blocks }) => [speaker, blocks.map(saidBy)])));

const codeBlocks = (history: readonly IContent[]): number =>
  history.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'code').length;

/** The history that the file must contain, and the entries written for that. */
interface Restoration {
  readonly history: readonly IContent[];
  readonly written: readonly IContent[];
}

/**
 * The same history written in four ways, because not every format can express each of them:
 * 1. Shortened entries are changed back in place.
 * 2. Only the entries that the step added are removed: some agents hide summarised entries and show them again.
 * 3. Each restored entry is new.
 * 4. All entries are new, from the first restored one (or its call) to the end of the step: a format may be unable to add
 *    a parallel call to an existing answer.
 */
function* restorations(
  now: readonly IContent[],
  step: RemovalStep,
  removed: readonly IContent[],
): Generator<Restoration> {
  const keptPlaces = new Set(step.kept.flatMap(([before, , length]) => range(before, length)));
  const removedPlaces = range(0, step.entriesBefore).filter((place) => !keptPlaces.has(place));
  const replacedBy = new Map(step.replaced);
  const inPlace = restoredHistory(
    now,
    step,
    removed.map((entry, index) => inPlaceOf(entry, now[replacedBy.get(removedPlaces[index] ?? -1) ?? -1])),
  );
  yield { history: inPlace, written: inPlace };
  const ids = new Set(now.map(({ metadata }) => metadata?.id));
  yield { history: inPlace, written: inPlace.filter(({ metadata }) => ids.has(metadata?.id)) };
  const history = restoredHistory(now, step, removed.map(asNew));
  yield { history, written: history };
  const pairing = pairCalls(history);
  const first = pairSafeIndex(history, removedPlaces[0] ?? history.length, { direction: 'earlier', pairing });
  const end = pairSafeIndex(history, step.entriesBefore, { direction: 'later', pairing });
  const rest = history.map((entry, index) => (index < first || index >= end ? entry : asNew(entry)));
  yield { history: rest, written: rest };
}

const range = (start: number, length: number): number[] => Array.from({ length }, (_, index) => start + index);

/** A session file with a step undone. `pieces` are joined to the file. */
export interface RestoredSession {
  /** The history that the file contains. */
  readonly history: readonly IContent[];
  /** For the file's companion. */
  readonly change: SessionChange;
  readonly pieces: readonly Uint8Array[];
  /** Blocks that the file contains as text, because its format has no other place for them; a model reads the same. */
  readonly blocksAsText: number;
}

interface Place {
  readonly format: SessionFormat;
  readonly lines: Iterable<Line>;
  readonly now: readonly IContent[];
}

/** The bytes of the file before the step, and those appended since; nothing if a model would read something else. */
function restoredBytes({ format, lines, now }: Place, { step, removed }: Undo): RestoredSession | undefined {
  const bytes = step.file && undoneFile(joinLines(lines), step.file);
  if (bytes === undefined) return undefined;
  const pieces = [bytes];
  const before = linesOf(() => pieces);
  const found = liveHistory(format.read(before));
  const history = restoredHistory(now, step, removed);
  if (!isDeepStrictEqual(saidIn(found), saidIn(history))) return undefined;
  const change = { lines: before, history: shortenedAgain(now, step, found), isUndone: true } as const;
  return { history, change, pieces, blocksAsText: 0 };
}

/** `now` with the entries of `found`, the history before the step, wherever the step kept or replaced one. */
function shortenedAgain(now: readonly IContent[], step: RemovalStep, found: readonly IContent[]): IContent[] {
  const places = new Map(step.replaced.map(([before, after]) => [after, before]));
  for (const [before, after, length] of step.kept)
    for (let index = 0; index < length; index++) places.set(after + index, before + index);
  const added = step.entriesBefore - step.entriesAfter;
  return now.map((entry, at) => found[places.get(at) ?? (at < step.entriesAfter ? -1 : at + added)] ?? asNew(entry));
}

interface Undo {
  readonly step: RemovalStep;
  readonly removed: readonly IContent[];
}

/**
 * The file of `lines`, in its own format, with `step` undone. `now` is its live history, `removed` what the step removed.
 * The bytes are those before the step wherever the file was not changed since, or only appended to; else the removed
 * entries are written again. The new file is read back: a model reads the history before the step, then the entries added since.
 * @throws CompressionStrategyError `HISTORY_CHANGED` as `restoredHistory`; `SESSION_NOT_WRITABLE` when the format cannot
 * contain the removed entries.
 */
export function restoredSession(place: Place, undo: Undo): RestoredSession {
  const same = restoredBytes(place, undo);
  if (same) return same;
  const { format, lines, now } = place;
  let refusal: unknown;
  let similar: RestoredSession | undefined;
  for (const { history, written } of restorations(now, undo.step, undo.removed)) {
    try {
      const pieces = [...format.write!(lines, written)];
      const found = liveHistory(format.read(linesOf(() => pieces)));
      if (!isDeepStrictEqual(saidIn(found), saidIn(history))) continue;
      const blocksAsText = codeBlocks(history) - codeBlocks(found);
      const restored = { history, change: { lines, history: written }, pieces, blocksAsText };
      if (blocksAsText === 0) return restored;
      similar ??= restored;
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      refusal = error;
    }
  }
  if (similar) return similar;
  throw new CompressionStrategyError(
    `Expected a ${format.title} session that can contain everything that was removed, got one that cannot. Nothing was written; the transcript still contains it.`,
    'SESSION_NOT_WRITABLE',
    { cause: refusal },
  );
}
