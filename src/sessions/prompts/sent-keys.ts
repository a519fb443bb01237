import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileStatus } from '../../disk/file-status.ts';
import { conversationFiles } from './conversation-files.ts';

/**
 * Names what the data folder may say of a session file now, without reading it: the versions of the conversations that began before the
 * file was written last. Undefined where there are none.
 */
export function sentKeys(): (file: string) => string | undefined {
  const known = conversationFiles();
  return (file) => {
    const writtenAt = fileStatus(file)?.mtimeMs ?? Number.POSITIVE_INFINITY;
    const before = known.filter(({ bornAt }) => bornAt <= writtenAt);
    if (before.length === 0) return undefined;
    const versions = before.map((one) => [path.basename(one.path), one.version]).sort();
    return createHash('sha256').update(JSON.stringify(versions)).digest('hex');
  };
}
