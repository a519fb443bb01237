import { CompressionStrategyError } from '../../errors.ts';
import type { SessionFormat } from '../../formats/contract.ts';
import { highDensity } from '../../formats/high-density/high-density.ts';
import { withCopied } from '../../sessions/copies/copied-calls.ts';
import { isRemovableCopy } from '../../sessions/copies/written-copy.ts';
import { exampleSession } from '../../sessions/example-session.ts';
import { pathFromHome } from '../../sessions/places/home-folder.ts';
import { sessionPlaces } from '../../sessions/places/session-places.ts';
import { copiedHere } from '../options/copies/copied-here.ts';
import { type NamedSessions, namedSessions, type SkippedFile, skippedNote } from '../options/named-sessions.ts';
import { openSession, type SessionSource } from '../options/session-file.ts';
import { sessionPath } from '../options/session-path.ts';
import { printable, terminal, UsageError } from '../terminal/terminal.ts';
import { chosenLine, newestSessions } from './session-by-id.ts';

/** The name of the bundled example; a file has its path here. */
const EXAMPLE_NAME = 'example';

const shown = (file: string): string => printable(pathFromHome(file));

function exampleSource(): SessionSource {
  const startedAt = performance.now();
  const session = exampleSession();
  return { name: EXAMPLE_NAME, format: highDensity, session, readMs: performance.now() - startedAt };
}

/** The newest readable session of this folder's project, else of this computer, else the example. Standard error says which one, and which were skipped. */
async function newestSession(forced: SessionFormat | undefined): Promise<SessionSource> {
  const { notes } = terminal();
  const { bold, dim } = notes.colors;
  const { sessions, ofThisFolder } = newestSessions();
  for (const [index, found] of sessions.entries()) {
    const { agent, path: file } = found;
    if (isRemovableCopy(file)) continue;
    try {
      const source = await openSession(file, forced);
      await notes.print(`${chosenLine(found, index < ofThisFolder)}\n`);
      return source;
    } catch (error) {
      if (!(error instanceof CompressionStrategyError)) throw error;
      const isUnknown = error.code === 'SESSION_FORMAT_UNKNOWN';
      const why = isUnknown ? `not a session in a known format of ${agent}` : error.message;
      await notes.print(dim(`Skipped ${shown(file)}: ${why}\n`));
    }
  }
  const searched = [...new Set(sessionPlaces().map(({ agent }) => agent))].join(', ');
  await notes.print(
    `No session found in the folders of ${searched}.\n${bold('Replaying the bundled example')}, an invented day of work.\n\n`,
  );
  return exampleSource();
}

interface Choice {
  readonly format: SessionFormat | undefined;
  readonly onError: (error: unknown) => Promise<void>;
}

interface Opening extends Choice {
  readonly copied: Awaited<ReturnType<typeof copiedHere>>;
}

/** The session, whose calls that are another's count there. */
const withoutCopies = (source: SessionSource, copied: Opening['copied']): SessionSource => ({
  ...source,
  session: withCopied(source.session, copied?.get(source.name)),
});

/** The named session, or all sessions of that folder. @throws UsageError for a folder without any. */
async function* sessionsAt(
  sessions: NamedSessions,
  { format, onError, copied }: Opening,
): AsyncGenerator<SessionSource> {
  const { named, files, fromFolders } = sessions;
  const skipped: SkippedFile[] = [];
  for (const file of files) {
    let source: SessionSource;
    try {
      source = await openSession(file, format);
    } catch (error) {
      if (fromFolders.has(file) && error instanceof CompressionStrategyError) skipped.push({ path: file, error });
      else await onError(error);
      continue;
    }
    yield withoutCopies(source, copied);
  }
  if (skipped.length > 0) await terminal().notes.print(skippedNote(skipped));
  if (files.length === skipped.length)
    throw new UsageError(
      `Expected a readable session, got none in ${named.join(', ')}. \`density sessions\` lists those of this computer.`,
    );
}

/** The named sessions and those of folders, in order, each opened when the caller asks for it. Without files: the newest session, else the example. */
export async function* chosenSessions(
  files: readonly string[],
  { format, onError }: Choice,
): AsyncGenerator<SessionSource> {
  if (files.length === 0) {
    const source = await newestSession(format);
    const isFile = source.sizeBytes !== undefined;
    yield isFile ? withoutCopies(source, await copiedHere(namedSessions([source.name]))) : source;
    return;
  }
  const chosen: NamedSessions[] = [];
  for (const name of files) {
    try {
      chosen.push(namedSessions([await sessionPath(name)]));
    } catch (error) {
      await onError(error);
    }
  }
  const copied = await copiedHere({
    files: [...new Set(chosen.flatMap((one) => one.files))],
    fromFolders: new Set(chosen.flatMap((one) => [...one.fromFolders])),
  });
  for (const sessions of chosen) {
    try {
      yield* sessionsAt(sessions, { format, onError, copied });
    } catch (error) {
      await onError(error);
    }
  }
}
