import envPaths from 'env-paths';

/** Where this user's data of the command lives; respects `XDG_DATA_HOME`. */
export const dataFolder = (): string => envPaths('high-density', { suffix: '' }).data;
