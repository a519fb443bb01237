import { CompressionStrategyError } from '../../errors.ts';
import { counted } from '../../report/figures.ts';
import { terminal } from '../terminal/terminal.ts';
import { type NamedSessions, namedSessions } from './named-sessions.ts';
import { LATEST } from './session-argument.ts';
import { sessionPath } from './session-path.ts';

/** What a command takes that was given no name. */
export type UnnamedSessions = () => Promise<NamedSessions>;

/** The newest session of this folder's project, else of this computer. @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none. */
export const latestSession: UnnamedSessions = async () => namedSessions([await sessionPath(LATEST)]);

/** All sessions that `density sessions` lists; standard error says how many. @throws CompressionStrategyError `SESSION_UNKNOWN` if there is none. */
export const listedSessions: UnnamedSessions = async () => {
  const { foundSessions } = await import('../../sessions/places/session-places.ts');
  const files = foundSessions().flatMap(({ path, problem }) => (problem === undefined ? [path] : []));
  if (files.length === 0) {
    throw new CompressionStrategyError(
      'Expected sessions on this computer, but none was found. Name files or folders; `density doctor` lists the folders that were searched.',
      'SESSION_UNKNOWN',
    );
  }
  await terminal().notes.print(`${counted(files.length, 'session')} on this computer (\`density sessions\`)\n`);
  return { named: [], files, fromFolders: new Set(files) };
};
