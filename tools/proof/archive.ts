/**
 * The archive of removed texts on a disk that waits 20 ms at each sync, with 200 blocks in one request; and with very many files: the oldest are deleted while the thread has other work.
 *
 * `npm run proof -- archive [files]`: default 1,000,000, some minutes. Files are links, so that they take no room.
 */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { longestBusyMs } from '../../bench/busy-stretch.ts';
import { BlockArchive } from '../../src/disk/block-archive.ts';

const SYNC_MS = 20;
const BLOCKS = 200;
/** When the proxy does not wait for the disk any more. */
const MAX_KEEP_MS = 500;
const MAX_BUSY_MS = 100;
const FILE_BYTES = 1_000;
/** Fewer than a file may have. */
const LINKS = 50_000;
const AGE_MS = 60 * 24 * 60 * 60_000;
/** The part of the files that is deleted. */
const DELETED = 1 / 20;

/** What keeping them takes without the time in which this process had no processor. */
async function keepSlowly(folder: string): Promise<number> {
  const handle = await open(tmpdir(), 'r');
  const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
  await handle.close();
  const { sync } = prototype;
  let syncs = 0;
  prototype.sync = async function slowly(this: unknown): Promise<void> {
    syncs++;
    await delay(SYNC_MS);
    await sync.call(this);
  };
  const archive = new BlockArchive(folder);
  const blocks = Array.from(
    { length: BLOCKS },
    (_, at) => ({ type: 'text', text: `block ${at}; `.repeat(200) }) as const,
  );
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await archive.keep(blocks);
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  prototype.sync = sync;
  const ownMs = (user + system) / 1_000 + syncs * SYNC_MS;
  console.log(
    `${BLOCKS} blocks, ${SYNC_MS} ms a sync: ${syncs} syncs, ${ownMs.toFixed(0)} ms of processor and syncs, ${wallMs.toFixed(0)} ms by the clock`,
  );
  return ownMs;
}

/** All files are so old that they may be deleted, half of them a minute older than the others. */
function fill(folder: string, files: number): void {
  mkdirSync(folder, { mode: 0o700 });
  let source = '';
  for (let at = 0; at < files; at++) {
    const file = path.join(folder, `${at.toString(16).padStart(64, '0')}.json`);
    if (at % LINKS > 0) linkSync(source, file);
    else {
      writeFileSync(file, 'x'.repeat(FILE_BYTES));
      const keptAt = new Date(Date.now() - AGE_MS - (at < files / 2 ? 120_000 : 0));
      utimesSync(file, keptAt, keptAt);
      source = file;
    }
  }
}

async function makeRoom(folder: string, files: number): Promise<number> {
  const archive = new BlockArchive(folder, { mostBytes: files * (1 - DELETED) * FILE_BYTES });
  const startedAt = performance.now();
  const busyMs = await longestBusyMs(() => archive.makeRoom());
  const tookS = (performance.now() - startedAt) / 1_000;
  console.log(
    `${files} files, room made in ${tookS.toFixed(0)} s, ${files - readdirSync(folder).length} deleted: the thread was held for ${busyMs.toFixed(0)} ms at most`,
  );
  return busyMs;
}

export async function prove([files = '1000000']: readonly string[]): Promise<boolean> {
  const root = mkdtempSync(path.join(tmpdir(), 'archive-proof-'));
  try {
    const isQuick = (await keepSlowly(path.join(root, 'slow'))) < MAX_KEEP_MS;
    fill(path.join(root, 'many'), Number(files));
    return (await makeRoom(path.join(root, 'many'), Number(files))) < MAX_BUSY_MS && isQuick;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
