import type { IContent } from '../content/content.ts';
import { type Line, liveHistory, type Session, type SessionFormat } from '../formats/contract.ts';
import { linesOf } from '../formats/lines/lines.ts';
import { type TakenStep, takenStep } from './taken-step.ts';

/** A session file with another live history, and how to go back. */
export interface Rewritten {
  readonly step: TakenStep;
  /** To be joined. */
  readonly pieces: Iterable<Uint8Array>;
}

/** What a session was read from. */
export interface SessionLines {
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
 * What is left of `after` in the file: most formats drop an answer of which nothing but thinking was left, as no
 * provider takes it.
 */
function standing(format: SessionFormat, { before, after, pieces }: Writing): readonly IContent[] {
  const stood = new Set(before);
  const without = after.filter((entry) => stood.has(entry) || !isThinking(entry));
  if (without.length === after.length) return after;
  const found = liveHistory(format.read(linesOf(() => pieces)));
  return found.length === without.length ? without : after;
}

/** The file with `after` as its live history, whose kept entries are those of `session`. @throws as `format.write` does. */
export function rewritten({ session, format, lines }: SessionLines, after: readonly IContent[]): Rewritten {
  const before = liveHistory(session);
  const pieces = [...format.write!(lines, after)];
  return { step: takenStep(before, standing(format, { before, after, pieces })), pieces };
}
