import { fileStatus } from '../../disk/file-status.ts';
import { trajectoryIn } from '../../sessions/places/trial-folder.ts';
import { UsageError } from '../terminal/failure.ts';
import { LATEST, LIST_HINT } from './session-argument.ts';

/** Anything else is a path. */
const ID = /^[\w-]+$/;

async function pick(fits: ((file: string) => boolean) | undefined): Promise<string> {
  const { canPick, pickedSession } = await import('../picker/picked-session.ts');
  if (!canPick()) {
    const line = ['density', ...process.argv.slice(2), LATEST].join(' ');
    throw new UsageError(
      `missing required argument 'session': a file, an id, or ${LATEST}. For example: ${line}. ${LIST_HINT}`,
    );
  }
  return pickedSession(fits);
}

/**
 * The path of a session that is named by path, id or `latest`. Without a name the user picks one of those that `fits`, on a
 * terminal. A path that exists always wins (in the folder of a
 * trial it is that of the trajectory), and needs nothing that knows formats and ids, which take long to load. Standard
 * error says which session `latest` is.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` for an id of none or several; `USAGE` without a name and terminal, or
 * if none was picked.
 */
export async function sessionPath(named: string | undefined, fits?: (file: string) => boolean): Promise<string> {
  if (named === undefined) return pick(fits);
  if (!ID.test(named) || fileStatus(named)) return trajectoryIn(named) ?? named;
  const { pathOfId } = await import('../picker/session-by-id.ts');
  return pathOfId(named);
}
