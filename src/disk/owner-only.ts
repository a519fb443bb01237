import { makeFolder } from './make-folder.ts';

/** Conversations contain secrets, so only the owner may read their files and folders. */
export const OWNER_FILE_MODE = 0o600;
export const OWNER_FOLDER_MODE = 0o700;

/** Makes a folder, and the missing ones above it, for its owner only. @throws the system's error. */
export const makeOwnerFolder = (folder: string): Promise<void> => makeFolder(folder, OWNER_FOLDER_MODE);
