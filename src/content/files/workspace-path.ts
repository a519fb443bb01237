import path from 'node:path';
import { readOr } from '../foreign-value.ts';

/** An empty, `.` or `..` segment, or a slash at the end. */
const TO_NORMALISE = /\/\.{0,2}(?:\/|$)/;

const WINDOWS = /^[a-zA-Z]:[\\/]/;
/** A home directory at the start of a path. */
const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[a-zA-Z]:[\\/]Users[\\/][^\\/]+)(?=[\\/]|$)/;

/** A Windows path, normalised, with slashes and a lower-case drive letter. */
function windowsPath(file: string): string {
  const slashed = `${file[0]?.toLowerCase()}${file.slice(1).replaceAll('\\', '/')}`;
  const normal = path.posix.normalize(slashed);
  return normal.length > 3 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

/** The path in a `file://` address; still percent-encoded if it cannot be decoded. */
function fromAddress(address: string): string {
  const named = address.slice('file://'.length).replace(/^localhost(?=\/)/, '');
  return readOr(() => decodeURIComponent(named).replace(/^\/(?=[a-zA-Z]:[\\/])/, ''), named);
}

/**
 * `file` as an absolute, normalised path; a relative one is resolved against `directory`. Case is kept (REQ-HD-005.5,
 * 005.11). A relative `directory` starts at the root of the file system: the working directory of the process is never
 * used. `file://` addresses are resolved to their path, `~/` to the home directory that contains `directory` (it stays
 * if there is none); Windows paths get slashes and a lower-case drive letter.
 */
export function resolvePath(directory: string, file: string): string {
  if (file.startsWith('file://')) return resolvePath(directory, fromAddress(file));
  if (file.startsWith('~/') || file.startsWith('~\\')) {
    const [home] = HOME.exec(directory) ?? [];
    return home === undefined
      ? `~${path.posix.normalize(file.slice(1))}`
      : resolvePath(directory, `${home}${file.slice(1)}`);
  }
  if (WINDOWS.test(file)) return windowsPath(file);
  if (!file.startsWith('/') && WINDOWS.test(directory)) return windowsPath(`${directory}/${file}`);
  const joined = file.startsWith('/') ? file : `${directory}/${file}`;
  const isNormal = path.sep === '/' && joined.startsWith('/') && !TO_NORMALISE.test(joined);
  return isNormal ? joined : path.resolve('/', directory, file);
}

/** True if a path is a pattern, whose files are unknown (REQ-HD-005.9). */
export function isGlob(file: string): boolean {
  return file.includes('*') || file.includes('?');
}
