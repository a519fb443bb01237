import { isDeepStrictEqual } from 'node:util';
import { pairSafeIndex } from '../content/calls/boundary.ts';
import { pairCalls } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
import { fencedCode } from '../formats/blocks/opaque-block.ts';
import { type Line, liveHistory, type SessionFormat } from '../formats/contract.ts';
import { linesOf } from '../formats/lines/lines.ts';
import { type TakenStep, untaken } from './taken-step.ts';

/** The entry as one that stands at no place of the file yet. */
function asNew({ metadata, ...entry }: IContent): IContent {
  const { id: _id, ...facts } = metadata ?? {};
  return { ...entry, metadata: facts };
}

/** The entry as the full form of one that stands in the file. */
const inPlaceOf = (entry: IContent, standing: IContent | undefined): IContent =>
  standing?.metadata?.id === undefined
    ? asNew(entry)
    : { ...entry, metadata: { ...entry.metadata, id: standing.metadata.id } };

/** A block as a model reads it: code is text with a fence, a result is text, and a vendor's notes beside it are not read. */
function saidBy(block: ContentBlock): ContentBlock {
  if (block.type === 'code') return { type: 'text', text: fencedCode(block) };
  if (block.type !== 'tool_response') return block;
  const { providerMetadata: _noted, result, ...said } = block;
  return { ...said, result: typeof result === 'string' ? result : JSON.stringify(result) };
}

/** What a history says, as JSON holds it; ids and other facts aside. */
const saidIn = (history: readonly IContent[]): unknown =>
  JSON.parse(JSON.stringify(history.map(({ speaker, blocks }) => [speaker, blocks.map(saidBy)])));

/** What is to be said, and what is written so that the file says it. */
interface Undoing {
  readonly history: readonly IContent[];
  readonly written: readonly IContent[];
}

/**
 * The same history four ways, for files that differ in what they have a place for: shortened entries changed back where
 * they stand; only what the step put in taken out, for agents that hide what a summary stands for and show it again; all
 * that comes back as new entries; new entries from the first that comes back, or the call that it answers, to the end of
 * the step: a parallel call may have no place in an answer that stands.
 */
function* undoings(now: readonly IContent[], step: TakenStep, taken: readonly IContent[]): Generator<Undoing> {
  const keptPlaces = new Set(step.kept.flatMap(([before, , length]) => range(before, length)));
  const takenPlaces = range(0, step.entriesBefore).filter((place) => !keptPlaces.has(place));
  const standing = new Map(step.replaced);
  const inPlace = untaken(
    now,
    step,
    taken.map((entry, index) => inPlaceOf(entry, now[standing.get(takenPlaces[index] ?? -1) ?? -1])),
  );
  yield { history: inPlace, written: inPlace };
  const ids = new Set(now.map(({ metadata }) => metadata?.id));
  yield { history: inPlace, written: inPlace.filter(({ metadata }) => ids.has(metadata?.id)) };
  const history = untaken(now, step, taken.map(asNew));
  yield { history, written: history };
  const pairing = pairCalls(history);
  const first = pairSafeIndex(history, takenPlaces[0] ?? history.length, { direction: 'earlier', pairing });
  const end = pairSafeIndex(history, step.entriesBefore, { direction: 'later', pairing });
  const rest = history.map((entry, index) => (index < first || index >= end ? entry : asNew(entry)));
  yield { history: rest, written: rest };
}

const range = (start: number, length: number): number[] => Array.from({ length }, (_, index) => start + index);

/** A session file with a step undone: what it says, and what was written for that. */
export interface UntakenSession extends Undoing {
  readonly pieces: readonly Uint8Array[];
}

/**
 * The file of `lines`, in its own format, with a step undone: `now` is its live history, `taken` what the step took
 * away. It is read back: it says to a model exactly what was said before the step, and behind that what was added since.
 * @throws CompressionStrategyError `HISTORY_CHANGED` as `untaken`; `SESSION_NOT_WRITABLE` when the file has no place for
 * what comes back.
 */
export function untakenSession(
  { format, lines, now }: { format: SessionFormat; lines: Iterable<Line>; now: readonly IContent[] },
  { step, taken }: { step: TakenStep; taken: readonly IContent[] },
): UntakenSession {
  let refusal: unknown;
  for (const { history, written } of undoings(now, step, taken)) {
    try {
      const pieces = [...format.write!(lines, written)];
      const found = liveHistory(format.read(linesOf(() => pieces)));
      if (isDeepStrictEqual(saidIn(found), saidIn(history))) return { history, written, pieces };
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      refusal = error;
    }
  }
  throw new CompressionStrategyError(
    `Expected a place in this ${format.title} session for everything that was taken away, got none. Nothing was written; the transcript still holds it.`,
    'SESSION_NOT_WRITABLE',
    { cause: refusal },
  );
}
