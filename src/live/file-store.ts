import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openAppendLog } from '../disk/append-log.ts';
import { codeOf } from '../errors.ts';
import type { PrunerStore } from './contract.ts';

/** Decisions in files of this folder, one for each conversation, readable by their owner only. */
export function fileStore(folder: string): PrunerStore {
  const fileOf = (conversation: string): string => path.join(folder, `${conversation}.jsonl`);
  return {
    async load(conversation) {
      try {
        return (await readFile(fileOf(conversation), 'utf8')).split('\n');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }
    },
    async append(conversation, lines) {
      const log = await openAppendLog(fileOf(conversation));
      try {
        await log.appendFile(lines.map((line) => `${line}\n`).join(''));
      } finally {
        await log.close();
      }
    },
  };
}
