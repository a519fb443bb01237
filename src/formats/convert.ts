import { CompressionStrategyError } from '../errors.ts';
import { liveHistory, type NewSession, type Session, type SessionFormat } from './contract.ts';
import { SESSION_FORMATS } from './index.ts';
import { linesOf } from './lines/lines.ts';
import type { Loss } from './losses/loss-kinds.ts';
import { lossesBetween } from './losses/losses.ts';

/** A session in another format. */
export interface Conversion {
  /** The new file, in pieces to be joined. */
  readonly pieces: readonly Uint8Array[];
  /** What of the session the new file cannot hold. */
  readonly losses: readonly Loss[];
}

/** The formats that a session can be converted to. */
export const writableFormats = (): SessionFormat[] => SESSION_FORMATS.filter(({ create }) => create !== undefined);

/**
 * The live history of `session` as a new session of `target`, and what is lost: found by reading the new file again.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when `target` is read-only, cannot hold something as plain
 * data, or does not read what it wrote.
 */
export function convertSession(session: Session, target: SessionFormat, made: NewSession): Conversion {
  if (target.create === undefined) {
    const known = writableFormats().map(({ name }) => name);
    throw new CompressionStrategyError(
      `Expected a format that can be written (${known.join(', ')}), got ${target.name}, which is read-only.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  const pieces = [...target.create(liveHistory(session), made)];
  const again = target.read(linesOf(() => pieces));
  const [broken] = again.skipped;
  if (broken !== undefined) {
    throw new CompressionStrategyError(
      `Expected ${target.title} to read what it wrote, got line ${broken.line}: ${broken.reason}. Nothing was written; please report this.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  return { pieces, losses: lossesBetween(session, again) };
}
