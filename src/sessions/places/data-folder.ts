import path from 'node:path';
import envPaths from 'env-paths';
import { homeFolder } from './home-folder.ts';

/** Where this user's data of the command lives; respects `XDG_DATA_HOME`. */
export const dataFolder = (): string => path.resolve(homeFolder(), envPaths('high-density', { suffix: '' }).data);

/** Where blocks are kept that were taken away. */
export const archiveFolder = (): string => path.join(dataFolder(), 'archive');

/** Where the sessions of `density chat` are. */
export const sessionsFolder = (): string => path.join(dataFolder(), 'sessions');
