import path from 'node:path';
import { BlockArchive } from '../../../disk/block-archive.ts';
import { fileStore } from '../../../live/file-store.ts';
import { CallLog } from '../../../proxy/call-log.ts';
import type { ProxyRequestOptions } from '../../../proxy/contract.ts';
import { liveChanges } from '../../../proxy/live-changes.ts';
import { archiveFolder, dataFolder } from '../../../sessions/places/data-folder.ts';

/** The folder of what the proxy remembers: decisions of conversations, and the log of calls. */
export const liveFolder = (): string => path.join(dataFolder(), 'live');

export interface LiveRun {
  readonly options: ProxyRequestOptions;
  readonly log: CallLog;
  /** What went wrong here while the agent went on. */
  readonly troubles: readonly string[];
}

/** What the proxy does with the requests of an agent, and where it writes that down. */
export function liveRun({ agent, isShadow }: { agent: string; isShadow: boolean }): LiveRun {
  const archive = new BlockArchive(archiveFolder());
  const log = new CallLog(liveFolder());
  const troubles: string[] = [];
  return {
    log,
    troubles,
    options: {
      change: liveChanges({
        workspaceRoot: process.cwd(),
        agent,
        isShadow,
        // What was only decided was never sent: it may not be repeated as if it had been.
        store: fileStore(path.join(liveFolder(), isShadow ? 'shadow' : 'conversations')),
        archive: (blocks) => archive.keep(blocks),
      }),
      onCall: (call) => {
        void log.append({ ...call, at: Date.now(), agent, isShadow }).then((error) => {
          if (error) troubles.push(`the log of calls could not be written: ${error.message}`);
        });
      },
      onTrouble: (what) => troubles.push(what),
    },
  };
}
