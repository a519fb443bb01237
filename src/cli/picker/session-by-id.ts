import { counted } from '../../content/counted.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { isRemovableCopy } from '../../sessions/copies/written-copy.ts';
import { pathFromHome } from '../../sessions/places/home-folder.ts';
import { sessionsOfProject, sessionsWithId, shortIds } from '../../sessions/places/session-ids.ts';
import { type FoundSession, foundSessions } from '../../sessions/places/session-places.ts';
import { hasKnownFormat } from '../../sessions/read-session.ts';
import { printable, terminal } from '../terminal/terminal.ts';

const MAX_CANDIDATES = 10;

/** The sessions of this computer as `latest` tries them, and how many of them are of this folder's project. */
export function newestSessions(): { readonly sessions: readonly FoundSession[]; readonly ofThisFolder: number } {
  const { own, others } = sessionsOfProject(process.cwd(), foundSessions());
  return { sessions: [...own, ...others], ofThisFolder: own.length };
}

/** True for a session that can be read. An untouched copy that density wrote is none: what it is a copy of is listed too. */
const isOriginal = ({ path: file }: FoundSession): boolean => hasKnownFormat(file) && !isRemovableCopy(file);

/** The line that says which session was chosen. */
export function chosenLine({ agent, path: file }: FoundSession, isOfThisFolder: boolean): string {
  const place = isOfThisFolder ? 'in this folder' : 'on this computer';
  return `Newest session ${place}, from ${terminal().notes.colors.bold(agent)}: ${printable(pathFromHome(file))}\n`;
}

/** The path of the newest session that `fits`. @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none. */
export async function latest(fits: (session: FoundSession) => boolean = isOriginal): Promise<string> {
  const { sessions, ofThisFolder } = newestSessions();
  const newest = sessions.find(fits);
  if (newest === undefined) {
    const which = fits === isOriginal ? 'that can be read' : 'that this command can take';
    throw new CompressionStrategyError(
      `Expected a session on this computer, but none ${which} was found. Name a session file; \`density doctor\` lists the folders that were searched.`,
      'SESSION_UNKNOWN',
    );
  }
  await terminal().notes.print(chosenLine(newest, sessions.indexOf(newest) < ofThisFolder));
  return newest.path;
}

function ambiguous(id: string, candidates: readonly FoundSession[]): CompressionStrategyError {
  const ids = shortIds(foundSessions().map(({ path: file }) => file));
  const lines = candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ agent, path: file }) => `  ${ids.get(file)}  ${agent}  ${printable(pathFromHome(file))}`);
  const more = candidates.length > lines.length ? [`  and ${candidates.length - lines.length} more`] : [];
  return new CompressionStrategyError(
    [
      `Expected the id of one session, got "${id}", which ${counted(candidates.length, 'session')} have. Name one:`,
      ...lines,
      ...more,
    ].join('\n'),
    'SESSION_UNKNOWN',
  );
}

/**
 * The path of the session with this id.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` for an id of none or several.
 */
export function pathOfId(id: string): string {
  const found = sessionsWithId(id, foundSessions());
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.path;
  if (first !== undefined) throw ambiguous(id, found);
  throw new CompressionStrategyError(
    `Expected a session file, the id of a session, or latest, got "${id}": there is no such file, and no session on this computer has this id. \`density sessions\` lists the ids.`,
    'SESSION_UNKNOWN',
  );
}
