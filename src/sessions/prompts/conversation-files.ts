import { readdirSync } from 'node:fs';
import path from 'node:path';
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

/** The conversations that the data folder knows; those of another folder if it is named. */
export function conversationFiles(folder = conversationsFolder()): readonly ConversationFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    const status = name.endsWith('.jsonl') ? fileStatus(file) : undefined;
    if (status === undefined) return [];
    const { size, mtimeMs: changedAt, birthtimeMs: bornAt } = status;
    return [{ path: file, version: `${size} ${changedAt}`, bornAt, changedAt }];
  });
}
