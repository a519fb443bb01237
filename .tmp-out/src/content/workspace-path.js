import path from 'node:path';
/**
 * `file` as an absolute, normalised path, relative ones against `directory`; case is kept (REQ-HD-005.5, 005.11).
 * A relative `directory` counts from the root of the file system: the working directory of the process is never used.
 */
export function resolvePath(directory, file) {
    return path.resolve('/', directory, file);
}
/** Whether a path stands for files that cannot be known from it alone (REQ-HD-005.9). */
export function isGlob(file) {
    return file.includes('*') || file.includes('?');
}
