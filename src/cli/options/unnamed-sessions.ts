import { CompressionStrategyError } from '../../errors.ts';
import { counted } from '../../report/figures.ts';
import { UsageError } from '../terminal/failure.ts';
import { printable } from '../terminal/printable.ts';
import { terminal } from '../terminal/terminal.ts';
import { filterWords, type SessionFilter } from './filter/session-filter.ts';
import { type NamedSessions, namedSessions } from './named-sessions.ts';
import { LATEST } from './session-argument.ts';
import { sessionPath } from './session-path.ts';

/** What a command takes that was given no name. */
export type UnnamedSessions = () => Promise<NamedSessions>;

/** The newest session of this folder's project, else of this computer. @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none. */
export const latestSession: UnnamedSessions = async () => namedSessions([await sessionPath(LATEST)]);

async function listedSessions(filter: SessionFilter): Promise<NamedSessions> {
  const [{ foundSessions }, { fittingSessions }] = await Promise.all([
    import('../../sessions/places/session-places.ts'),
    import('./filter/fitting-sessions.ts'),
  ]);
  const found = foundSessions().filter(({ problem }) => problem === undefined);
  if (found.length === 0) {
    throw new CompressionStrategyError(
      'Expected sessions on this computer, but none was found. Name files or folders; `density doctor` lists the folders that were searched.',
      'SESSION_UNKNOWN',
    );
  }
  const files = fittingSessions(found, filter).map(({ path }) => path);
  const words = filterWords(filter);
  if (files.length === 0) {
    throw new CompressionStrategyError(
      `Expected sessions that fit ${words}, but none of the ${counted(found.length, 'session')} on this computer does.`,
      'SESSION_UNKNOWN',
    );
  }
  const list = ['density sessions', words].filter(Boolean).join(' ');
  await terminal().notes.print(`${counted(files.length, 'session')} on this computer (\`${printable(list)}\`)\n`);
  return { named: [], files, fromFolders: new Set(files) };
}

/**
 * The names, and what is taken without any: the sessions that `density sessions` lists with this filter; standard error says how many.
 * @throws UsageError for both names and a filter. What is taken throws CompressionStrategyError `SESSION_UNKNOWN` if no session is left.
 */
export function namedOrListed(
  names: readonly string[],
  filter: SessionFilter,
): { readonly names: readonly string[]; readonly unnamed: UnnamedSessions } {
  const words = filterWords(filter);
  if (names.length > 0 && words !== '') {
    throw new UsageError(
      `Expected names of sessions or ${words}, got both: a filter chooses among the sessions that \`density sessions\` lists.`,
    );
  }
  return { names, unnamed: () => listedSessions(filter) };
}
