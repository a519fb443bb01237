import { codeOf, messageOf } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check the path',
  ENOTDIR: 'there is no such file. Check the path',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a directory. Name one file in it',
  ENOSPC: 'there is no space left',
  EFBIG: 'the file would be larger than is allowed',
  EROFS: 'it is on a file system that cannot be written to',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'the name is too long',
};

/** The reason why a file cannot be read or written, without its name. */
export function reasonOf(error: unknown): string {
  return REASONS[String(codeOf(error))] ?? messageOf(error);
}
