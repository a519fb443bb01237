import type { Command } from 'commander';
import { fileStatus } from '../../disk/file-status.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { pathFromHome } from '../../sessions/places/home-folder.ts';
import { sessionsOfProject, sessionsWithId, shortIds } from '../../sessions/places/session-ids.ts';
import { type FoundSession, foundSessions } from '../../sessions/places/session-places.ts';
import { hasKnownFormat } from '../../sessions/read-session.ts';
import { UsageError } from '../terminal/failure.ts';
import { printable } from '../terminal/printable.ts';
import { terminal } from '../terminal/terminal.ts';

/** The newest session of this folder's project, else of the computer. */
const LATEST = 'latest';
/** Anything else is a path. */
const ID = /^[\w-]{4,}$/;
const MOST_CANDIDATES = 10;

const LIST_HINT = '`density sessions` lists the ids.';

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

/** The sessions of this computer as `latest` tries them, and how many of them are of this folder's project. */
export function newestSessions(): { readonly sessions: readonly FoundSession[]; readonly ofThisFolder: number } {
  const { own, others } = sessionsOfProject(process.cwd(), foundSessions());
  return { sessions: [...own, ...others], ofThisFolder: own.length };
}

/** The line that says which session was chosen. */
export function chosenLine({ agent, path: file }: FoundSession, isOfThisFolder: boolean): string {
  const place = isOfThisFolder ? 'in this folder' : 'on this computer';
  return `Newest session ${place}, from ${terminal().notes.colors.bold(agent)}: ${printable(pathFromHome(file))}\n`;
}

async function latest(): Promise<string> {
  const { sessions, ofThisFolder } = newestSessions();
  const index = sessions.findIndex(({ path: file }) => hasKnownFormat(file));
  const newest = sessions[index];
  if (newest === undefined) {
    throw new CompressionStrategyError(
      `Expected a session on this computer, but none that can be read was found. Name a session file; \`density doctor\` lists the folders that were searched.`,
      'SESSION_UNKNOWN',
    );
  }
  await terminal().notes.print(chosenLine(newest, index < ofThisFolder));
  return newest.path;
}

function ambiguous(id: string, candidates: readonly FoundSession[]): CompressionStrategyError {
  const ids = shortIds(foundSessions().map(({ path: file }) => file));
  const lines = candidates
    .slice(0, MOST_CANDIDATES)
    .map(({ agent, path: file }) => `  ${ids.get(file)}  ${agent}  ${printable(pathFromHome(file))}`);
  const more = candidates.length > lines.length ? [`  and ${candidates.length - lines.length} more`] : [];
  return new CompressionStrategyError(
    [
      `Expected the id of one session, got "${id}", which ${candidates.length} sessions have. Name one:`,
      ...lines,
      ...more,
    ].join('\n'),
    'SESSION_UNKNOWN',
  );
}

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
 * terminal. A path that exists always wins. Standard error says which session `latest` is.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` for an id of none or several; `USAGE` without a name and terminal, or
 * if none was picked.
 */
export async function sessionPath(named: string | undefined, fits?: (file: string) => boolean): Promise<string> {
  if (named === undefined) return pick(fits);
  if (!ID.test(named) || fileStatus(named)) return named;
  if (named === LATEST) return latest();
  const found = sessionsWithId(named, foundSessions());
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.path;
  if (first !== undefined) throw ambiguous(named, found);
  throw new CompressionStrategyError(
    `Expected a session file, the id of a session, or ${LATEST}, got "${named}": there is no such file, and no session on this computer has this id. ${LIST_HINT}`,
    'SESSION_UNKNOWN',
  );
}
