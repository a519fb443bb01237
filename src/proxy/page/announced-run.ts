import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../content/foreign-value.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { isProcessAlive, processToken } from '../../disk/session-lock.ts';
import { replaceFile } from '../../disk/temporary-file.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { LedgerNumbers } from '../ledger/contract.ts';

/** A proxy that runs on this computer, as its file says. */
export interface AnnouncedRun {
  /** The address of the page, with its token. */
  readonly url: string;
  readonly agent: string;
  readonly folder: string;
  readonly isShadow: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The main numbers so far. */
  readonly calls: number;
  /** Of calls whose usage is known. */
  readonly savedTokens: number;
  readonly promptTokens: number;
  readonly netDollars: number;
  readonly regrets: number;
}

type RunFacts = Pick<AnnouncedRun, 'url' | 'agent' | 'folder' | 'isShadow' | 'startedAt'>;

/** Changes within this time are written together. */
const SETTLE_MS = 300;

const folderOf = (liveFolder: string): string => path.join(liveFolder, 'running');

/** The file that says where the page of this process is, readable by its owner only, and what was saved so far. */
export class RunAnnouncement {
  readonly file: string;
  readonly #facts: RunFacts;
  readonly #queue = new SerialQueue();
  #timer: NodeJS.Timeout | undefined;

  constructor(liveFolder: string, facts: RunFacts) {
    this.file = path.join(folderOf(liveFolder), `${process.pid}-${new URL(facts.url).port}.json`);
    this.#facts = facts;
  }

  /** Writes it soon, with the numbers of that moment. */
  changed(numbers: () => LedgerNumbers): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.write(numbers());
    }, SETTLE_MS).unref();
  }

  /** Writes the file whole. If that fails, the page cannot be found, and the agent continues. */
  write({ calls, knownSavedTokens: savedTokens, promptTokens, netDollars, regrets }: LedgerNumbers): Promise<void> {
    const numbers = { calls, savedTokens, promptTokens, netDollars, regrets: regrets.length };
    const text = JSON.stringify({ process: processToken(), ...this.#facts, ...numbers });
    const write = async (): Promise<void> => {
      await makeOwnerFolder(path.dirname(this.file));
      await replaceFile(this.file, text, { mode: OWNER_FILE_MODE, isSynced: false });
    };
    return this.#queue.run(write).catch(() => {});
  }

  async remove(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#queue.idle();
    await rm(this.file, { force: true }).catch(() => {});
  }
}

/** What a file says; undefined for another one, and for that of a process that has ended. */
function announced(text: string): AnnouncedRun | undefined {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || typeof value['process'] !== 'string' || !isProcessAlive(value['process'])) return undefined;
  // Only a proxy writes the file, whole or not at all; its two texts are what is used without a further check.
  const { process: _, ...run } = value;
  return typeof run['url'] === 'string' && typeof run['folder'] === 'string'
    ? (run as unknown as AnnouncedRun)
    : undefined;
}

/** The proxies that run now, the last started one first. Files of those that were killed are removed. */
export async function announcedRuns(liveFolder: string): Promise<AnnouncedRun[]> {
  const folder = folderOf(liveFolder);
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.endsWith('.json') && !name.startsWith('.'),
  );
  const runs = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      try {
        const run = announced(await readFile(file, 'utf8'));
        if (run === undefined) await rm(file, { force: true });
        return run;
      } catch {
        // Removed meanwhile, or no file of ours.
        return undefined;
      }
    }),
  );
  return runs.filter((run) => run !== undefined).sort((one, other) => other.startedAt - one.startedAt);
}
