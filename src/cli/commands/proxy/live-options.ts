import type { ContentBlock } from '../../../content/content.ts';
import { reasonOf } from '../../../disk/reason-of.ts';
import { codeOf } from '../../../errors.ts';
import { GuardLog } from '../../../guard/guard-log.ts';
import { inShadow, type LiveChanges, livePruners } from '../../../live/exchange/live-changes.ts';
import { fileStore } from '../../../live/file-store.ts';
import { CallLog, loggedCall } from '../../../proxy/call-log.ts';
import type { ProxiedCall } from '../../../proxy/contract.ts';
import type { KeptRequestOptions } from '../../../proxy/exchange.ts';
import { GuardServer } from '../../../proxy/guard/guard-server.ts';
import { impatientDisk } from '../../../proxy/impatient-work.ts';
import { sumOldCalls } from '../../../proxy/ledger/call-history.ts';
import { Ledger } from '../../../proxy/ledger/ledger.ts';
import { missingPriceLines } from '../../../proxy/ledger/priced-call.ts';
import { RunAnnouncement } from '../../../proxy/page/announced-run.ts';
import { PageServer } from '../../../proxy/page/page-server.ts';
import type { RunningProxy } from '../../../proxy/proxy.ts';
import { userArchive } from '../../../sessions/archive/user-archive.ts';
import { conversationsFolder, liveFolder, shadowFolder } from '../../../sessions/places/data-folder.ts';
import { pathFromHome } from '../../../sessions/places/home-folder.ts';
import type { SettingLayers } from '../../../settings/resolve.ts';
import { packageVersion } from '../../output/package-version.ts';
import { guardProcess } from '../../terminal/process-guard.ts';
import type { LiveSettings } from './live-settings.ts';
import { pageText } from './page-text.ts';
import { type WarmRunOptions, warmRun } from './warm-run.ts';

interface LiveRun {
  readonly options: KeptRequestOptions & { readonly page: PageServer };
  /** Asked before a tool of the agent runs. */
  readonly guard: GuardServer;
  /** The numbers of this run. */
  readonly ledger: Ledger;
  /** Lets others find the page of the proxy; returns the file that says where it is. */
  announce(proxy: RunningProxy): Promise<string>;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

interface LiveRunOptions extends LiveSettings {
  readonly agent: string;
  /** The settings in force: the limits of the archive are among them. */
  readonly layers: SettingLayers;
  /** The token of the page; absent: a random token. */
  readonly pageToken?: string;
  /** What says whether pings are sent; absent: none is. */
  readonly warm?: Pick<WarmRunOptions, 'isOneAgent' | 'layers' | 'readLayers'>;
  /** Called once with each thing to know: what went wrong here while the agent went on, and a price that is missing. */
  readonly onTrouble: (what: string) => void;
}

/** What the proxy does with the requests of an agent, where it writes that down, and the page that shows it. Guards the process until it is closed. */
export function liveRun(options: LiveRunOptions): LiveRun {
  const { agent, mode, config, cacheMarks, cacheLifetime, layers, pageToken, onTrouble, warm } = options;
  const archive = userArchive(layers);
  const log = new CallLog(liveFolder());
  const ledger = new Ledger();
  const troubles = new Set<string>();
  const isShadow = mode === 'shadow';
  const startedAt = Date.now();
  const facts = { agent, isShadow, startedAt };
  let announcement: RunAnnouncement | undefined;
  const page = new PageServer({
    ...(pageToken !== undefined && { token: pageToken }),
    state: () => ({
      ...facts,
      folder: pathFromHome(process.cwd()),
      numbers: ledger.numbers(),
      troubles: [...troubles],
      version: packageVersion(),
    }),
    textOf: (hash) =>
      archive.find(hash).then(
        ({ block }) => pageText(block),
        (error: unknown) => {
          if (codeOf(error) !== 'ARCHIVE_UNKNOWN') throw error;
          return undefined;
        },
      ),
  });
  const note = (trouble: string): void => {
    if (troubles.has(trouble)) return;
    troubles.add(trouble);
    onTrouble(trouble);
    page.changed();
  };
  const failures = new Set<unknown>();
  const keep = (blocks: readonly ContentBlock[]): Promise<void> =>
    archive.keep(blocks).catch((error: unknown) => {
      // What the system says may name another file each time.
      if (!failures.has(codeOf(error)))
        note(`removed text cannot be kept, so nothing more is removed that would be lost: ${reasonOf(error)}`);
      failures.add(codeOf(error));
      throw error;
    });
  const endGuard = guardProcess({ onFault: note });
  const live = (folder: string, isOff: boolean): LiveChanges =>
    livePruners(
      impatientDisk({
        workspaceRoot: process.cwd(),
        agent,
        config,
        cacheMarks,
        cacheLifetime,
        isOff,
        store: fileStore(folder, { onTrouble: note }),
        archive: keep,
      }),
    );
  const { change, copiedMarker } = live(conversationsFolder(), mode !== 'on');
  const guard = new GuardServer({
    agent,
    copiedMarker,
    log: new GuardLog(liveFolder()),
    onTrouble: note,
    onGuarded: (kind) => {
      ledger.addGuarded(kind);
      page.changed();
    },
  });
  const onCall = (call: ProxiedCall): void => {
    const logged = loggedCall(call, { at: Date.now(), agent, isShadow });
    ledger.add(logged);
    for (const line of missingPriceLines(call)) note(line);
    page.changed();
    announcement?.changed(() => ledger.numbers());
    void log.append(logged).then((error) => {
      if (error) note(`the log of calls could not be written: ${reasonOf(error)}`);
    });
  };
  const kept = warm && warmRun({ ...warm, onPing: onCall, onTrouble: note });
  return {
    ledger,
    guard,
    options: {
      page,
      // What was only decided was never sent: it may not be repeated as if it had been.
      change: isShadow ? inShadow(live(shadowFolder(), false).change, change) : change,
      onCall,
      ...(kept && { keeper: kept.keeper }),
      onTrouble: note,
    },
    async announce({ pageUrl }) {
      announcement = new RunAnnouncement(liveFolder(), { ...facts, url: pageUrl, folder: process.cwd() });
      await announcement.write(ledger.numbers());
      return announcement.file;
    },
    async close() {
      await kept?.close();
      await announcement?.remove();
      await log.close();
      // What cannot be done now is done after the next run.
      await sumOldCalls(liveFolder()).catch(() => {});
      endGuard();
    },
  };
}
