import { CompressionStrategyError } from '../errors.ts';
import { liveHistory, type NewSession, type Session, type SessionFormat } from './contract.ts';
import { SESSION_FORMATS } from './index.ts';
import { linesOf } from './lines/lines.ts';
import type { Loss } from './losses/loss-kinds.ts';
import { lossesBetween } from './losses/losses.ts';

/** A session in another format. */
export interface Conversion {
  /** The new file; the pieces are to be joined. */
  readonly pieces: readonly Uint8Array[];
  /** What the new file does not contain. */
  readonly losses: readonly Loss[];
}

/** The formats that a session can be converted to. */
export const writableFormats = (): SessionFormat[] => SESSION_FORMATS.filter(({ create }) => create !== undefined);

/**
 * The live history of `session` as a new session of `target`, and the losses, found by reading the new file.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if `target` is read-only, if something is not plain data, or if
 * `target` does not read its own output.
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
      `Expected ${target.title} to read its own output, but line ${broken.line} failed: ${broken.reason}. Nothing was written; please report this.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  return { pieces, losses: lossesBetween(session, again) };
}
