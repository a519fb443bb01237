import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PauseLengths, RECORDED_PAUSES } from '../../../economics/warm/pause-lengths.ts';
import { fileStore } from '../../../live/file-store.ts';
import { impatientDisk } from '../../../proxy/impatient-work.ts';
import { loggedCalls } from '../../../proxy/ledger/call-history.ts';
import { WARM_TRIAL_VARIABLE } from '../../../proxy/run-variables.ts';
import { Upstream } from '../../../proxy/upstream.ts';
import { Keeper, type KeeperOptions } from '../../../proxy/warm/keeper.ts';
import { ownPauses } from '../../../proxy/warm/own-pauses.ts';
import { PingDays } from '../../../proxy/warm/ping-days.ts';
import { sendsPings } from '../../../proxy/warm/send-ping.ts';
import { liveFolder } from '../../../sessions/places/data-folder.ts';
import { resolveSetting, type SettingLayers } from '../../../settings/resolve.ts';
import { liveSettings } from './live-settings.ts';

export interface WarmRunOptions extends Pick<KeeperOptions, 'isOneAgent' | 'onPing' | 'onTrouble'> {
  readonly layers: SettingLayers;
  /** The settings as they are now. */
  readonly readLayers: () => Promise<SettingLayers>;
}

/** True if these settings, the strongest first, let pings be sent. What is off, or only tried, sends nothing by itself. */
export const isKeptWarm = (layers: SettingLayers): boolean =>
  resolveSetting(layers, 'keep-warm') && liveSettings(layers).mode === 'on';

/** For a person who starts an agent. */
export const keptWarmWords = (layers: SettingLayers): string =>
  `keeps the prompt cache in pauses with pings, for at most $${resolveSetting(layers, 'keep-warm-dollars')} a day at list prices`;

/** What keeps prompts in the cache for a run on this computer; `undefined` if that is not turned on. */
export function warmRun({ layers, readLayers, ...options }: WarmRunOptions): WarmRun | undefined {
  if (!isKeptWarm(layers)) return undefined;
  const { onTrouble } = options;
  const lengths = new PauseLengths(RECORDED_PAUSES);
  const folder = path.join(liveFolder(), 'pings');
  const { store } = impatientDisk({ store: fileStore(folder, { onTrouble }) });
  const dollarsPerDay = resolveSetting(layers, 'keep-warm-dollars');
  const upstream = new Upstream();
  const [vendor, pace = 1] = trial(process.env[WARM_TRIAL_VARIABLE]);
  const keeper = new Keeper({
    ...options,
    send: sendsPings(upstream),
    days: new PingDays({ store, dollarsPerDay, now: Date.now }),
    lengths,
    isAllowed: async () => isKeptWarm(await readLayers()),
    vendor,
    pace,
  });
  const starting = Promise.all([learnPauses(lengths), deleteOldDays(folder)]);
  return {
    keeper,
    async close() {
      keeper.close();
      await starting;
      await upstream.close();
    },
  };
}

interface WarmRun {
  readonly keeper: Keeper;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

function trial(value = ''): [vendor?: string, pace?: number] {
  const [origin = '', pace = ''] = value.split(' ');
  return origin === '' ? [] : [origin, Number(pace)];
}

/** Where the log cannot be read, the recorded pauses alone count. */
async function learnPauses(lengths: PauseLengths): Promise<void> {
  try {
    for await (const pause of ownPauses(loggedCalls(liveFolder()))) lengths.add(pause);
  } catch {}
}

const KEPT_DAYS = 7;

/** What cannot be deleted now is deleted after the next start. */
async function deleteOldDays(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('pings-')).sort();
  for (const name of names.slice(0, -KEPT_DAYS)) await rm(path.join(folder, name)).catch(() => {});
}
