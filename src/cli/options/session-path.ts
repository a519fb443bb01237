import type { Command } from 'commander';
import { fileStatus } from '../../disk/file-status.ts';
import type { FoundSession } from '../../sessions/places/session-places.ts';
import { trajectoryIn } from '../../sessions/places/trial-folder.ts';
import { UsageError } from '../terminal/terminal.ts';

/** The newest session of this folder's project, else of the computer. What every command takes that needs one session and got no name. */
export const LATEST = 'latest';
/** The session that the user picks from a list. */
const PICK = 'pick';

/** Adds the argument for one session. */
export function sessionArgument(command: Command, description: string): Command {
  return command.argument(
    '[session]',
    `${description}, or an id that \`density sessions\` lists, or ${LATEST}, or ${PICK} for a list (default: ${LATEST})`,
  );
}

/** Anything else is a path. */
const ID = /^[\w-]+$/;

type Fits = (session: FoundSession) => boolean;

async function pick(fits: Fits | undefined): Promise<string> {
  const { canPick, pickedSession } = await import('../picker/picked-session.ts');
  if (!canPick()) {
    throw new UsageError(
      `Expected a terminal for ${PICK}, got none. Name a file, an id, or ${LATEST}. \`density sessions\` lists the ids.`,
    );
  }
  return pickedSession(fits);
}

/**
 * The path of a session that is named by path, id, `latest` or `pick`; without a name it is `latest`. These two take only sessions that
 * `fits`. A path that exists always wins (in the folder of a
 * trial it is that of the trajectory), and needs nothing that knows formats and ids, which take long to load. Standard
 * error says which session `latest` is.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` for an id of none or several, or if no session fits; `USAGE` for `pick` without a
 * terminal, or if none was picked.
 */
export async function sessionPath(named = LATEST, fits?: Fits): Promise<string> {
  if (!ID.test(named) || fileStatus(named)) return trajectoryIn(named) ?? named;
  if (named === PICK) return pick(fits);
  const { latest, pathOfId } = await import('../picker/session-by-id.ts');
  return named === LATEST ? latest(fits) : pathOfId(named);
}
