import path from 'node:path';
import { BlockArchive } from '../../../disk/block-archive.ts';
import { fileStore } from '../../../live/file-store.ts';
import { CallLog, type LoggedCall } from '../../../proxy/call-log.ts';
import type { ProxyRequestOptions } from '../../../proxy/contract.ts';
import { liveChanges } from '../../../proxy/live-changes.ts';
import { archiveFolder, dataFolder } from '../../../sessions/places/data-folder.ts';

/** The folder of what the proxy remembers: decisions of conversations, and the log of calls. */
export const liveFolder = (): string => path.join(dataFolder(), 'live');

export interface LiveRun {
  readonly options: ProxyRequestOptions;
  readonly log: CallLog;
  /** What went wrong here while the agent went on. */
  readonly troubles: ReadonlySet<string>;
}

interface LiveRunOptions {
  readonly agent: string;
  readonly isShadow: boolean;
  /** Called with each call that is logged. */
  readonly onLogged?: (call: LoggedCall) => void;
}

/** What the proxy does with the requests of an agent, and where it writes that down. */
export function liveRun({ agent, isShadow, onLogged }: LiveRunOptions): LiveRun {
  const archive = new BlockArchive(archiveFolder());
  const log = new CallLog(liveFolder());
  const troubles = new Set<string>();
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
        const logged = { ...call, at: Date.now(), agent, isShadow };
        onLogged?.(logged);
        void log.append(logged).then((error) => {
          if (error) troubles.add(`the log of calls could not be written: ${error.message}`);
        });
      },
      onTrouble: (what) => void troubles.add(what),
    },
  };
}
