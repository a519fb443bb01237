import path from 'node:path';
import envPaths from 'env-paths';
import { homeFolder } from './home-folder.ts';

/** The folder for the command's data of this user; respects `XDG_DATA_HOME`. */
export const dataFolder = (): string => path.resolve(homeFolder(), envPaths('high-density', { suffix: '' }).data);

/** The folder of the archive of removed blocks. */
export const archiveFolder = (): string => path.join(dataFolder(), 'archive');

/** The folder of what the proxy remembers: decisions of conversations, and the log of calls. */
export const liveFolder = (): string => path.join(dataFolder(), 'live');

/** The folder of what was sent in other forms than agents wrote it. */
export const conversationsFolder = (): string => path.join(liveFolder(), 'conversations');

/** The same of what was only decided, and never sent. */
export const shadowFolder = (): string => path.join(liveFolder(), 'shadow');

/** The folder where programs that use the library may keep sessions in our own format. */
export const sessionsFolder = (): string => path.join(dataFolder(), 'sessions');

/** The folder of sessions that an agent imports. */
export const importsFolder = (): string => path.join(dataFolder(), 'imports');
