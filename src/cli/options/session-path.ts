import type { Command } from 'commander';
import { fileStatus } from '../../disk/file-status.ts';
import { trajectoryIn } from '../../sessions/places/trial-folder.ts';
import { commandLine, UsageError } from '../terminal/terminal.ts';

/** The newest session of this folder's project, else of the computer. */
export const LATEST = 'latest';

/** Adds the argument for one session. */
export function sessionArgument(
  command: Command,
  description: string,
  without = 'on a terminal you pick one',
): Command {
  return command.argument(
    '[session]',
    `${description}, or an id that \`density sessions\` lists, or ${LATEST} (default: ${without})`,
  );
}

/** Anything else is a path. */
const ID = /^[\w-]+$/;

async function pick(fits: ((file: string) => boolean) | undefined): Promise<string> {
  const { canPick, pickedSession } = await import('../picker/picked-session.ts');
  if (!canPick()) {
    const line = ['density', ...commandLine().words, LATEST].join(' ');
    throw new UsageError(
      `missing required argument 'session': a file, an id, or ${LATEST}. For example: ${line}. \`density sessions\` lists the ids.`,
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
  const { latest, pathOfId } = await import('../picker/session-by-id.ts');
  return named === LATEST ? latest() : pathOfId(named);
}
