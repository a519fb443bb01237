import { makeFolder } from './make-folder.ts';

/** Conversations hold secrets: nobody else may read the files and folders that keep them. */
export const OWNER_FILE_MODE = 0o600;
const OWNER_FOLDER_MODE = 0o700;

/** Makes a folder, and those above it that are missing, for its owner alone. @throws the system's error. */
export const makeOwnerFolder = (folder: string): Promise<void> => makeFolder(folder, OWNER_FOLDER_MODE);
