import type { IContent } from '../content/content.ts';
import { type Line, liveHistory, type Session, type SessionFormat } from '../formats/contract.ts';
import { linesOf } from '../formats/lines/lines.ts';
import { withPromptsLeft } from './prompts/prompts-left.ts';
import { sentSession } from './prompts/sent-session.ts';
import { type RemovalStep, removalStep } from './removal-step.ts';

/** A session file with another live history, and the step that undoes the change. */
export interface Rewritten {
  readonly step: RemovalStep;
  /** Parts of the file, in order. */
  readonly pieces: Iterable<Uint8Array>;
}

/** A session with the format and lines it was read from. */
interface SessionLines {
  readonly session: Session;
  readonly format: SessionFormat;
  readonly lines: Iterable<Line>;
}

interface Writing {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly pieces: readonly Uint8Array[];
}

const isThinking = ({ blocks }: IContent): boolean => blocks.every(({ type }) => type === 'thinking');

/**
 * The entries of `after` that the file contains. Most formats drop an answer with nothing but thinking, because no
 * provider accepts it.
 */
function writtenEntries(format: SessionFormat, { before, after, pieces }: Writing): readonly IContent[] {
  const known = new Set(before);
  const without = after.filter((entry) => known.has(entry) || !isThinking(entry));
  if (without.length === after.length) return after;
  const found = liveHistory(format.read(linesOf(() => pieces)));
  return found.length === without.length ? without : after;
}

/** The file with `after` as its live history. Kept entries are the objects of `session`. @throws as `format.write` does. */
export function rewritten({ session, format, lines }: SessionLines, after: readonly IContent[]): Rewritten {
  const before = liveHistory(session);
  const pieces = [...format.write!(lines, after)];
  const step = removalStep(before, writtenEntries(format, { before, after, pieces }));
  return { step, pieces: withPromptsLeft({ session: sentSession(session), format, pieces }) };
}
