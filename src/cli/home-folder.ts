import { homedir, userInfo } from 'node:os';

/** The user's home. A `HOME` that is set to nothing counts as unset: what is below it would be below the working directory. */
export const homeFolder = (): string => homedir() || userInfo().homedir;
