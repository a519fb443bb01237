import type { IContent } from '../content/content.ts';
import { type Line, liveHistory, type Session, type SessionFormat } from '../formats/contract.ts';
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

/** The file with `after` as its live history, whose kept entries are those of `session`. @throws as `format.write` does, at the first piece. */
export function rewritten({ session, format, lines }: SessionLines, after: readonly IContent[]): Rewritten {
  return { step: takenStep(liveHistory(session), after), pieces: format.write!(lines, after) };
}
