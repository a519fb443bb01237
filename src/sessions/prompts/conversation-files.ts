import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { conversationsFolder } from '../places/data-folder.ts';

/** A file in which the proxy keeps what it sent in place of what. */
export interface ConversationFile {
  readonly path: string;
  /** Another one once it has grown. */
  readonly version: string;
  readonly bornAt: number;
  readonly changedAt: number;
}

/** The conversations that the data folder knows. */
export function conversationFiles(): readonly ConversationFile[] {
  const folder = conversationsFolder();
  const names: readonly string[] = readOr(() => readdirSync(folder), []);
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    const status = name.endsWith('.jsonl') ? fileStatus(file) : undefined;
    if (status === undefined) return [];
    const { size, mtimeMs: changedAt, birthtimeMs: bornAt } = status;
    return [{ path: file, version: `${size} ${changedAt}`, bornAt, changedAt }];
  });
}

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
