import path from 'node:path';

/** An empty, `.` or `..` segment, or a slash at the end. */
const TO_NORMALISE = /\/\.{0,2}(?:\/|$)/;

/**
 * `file` as an absolute, normalised path, relative ones against `directory`; case is kept (REQ-HD-005.5, 005.11).
 * A relative `directory` counts from the root of the file system: the working directory of the process is never used.
 */
export function resolvePath(directory: string, file: string): string {
  const joined = file.startsWith('/') ? file : `${directory}/${file}`;
  const isNormal = path.sep === '/' && joined.startsWith('/') && !TO_NORMALISE.test(joined);
  return isNormal ? joined : path.resolve('/', directory, file);
}

/** Whether a path stands for files that cannot be known from it alone (REQ-HD-005.9). */
export function isGlob(file: string): boolean {
  return file.includes('*') || file.includes('?');
}
