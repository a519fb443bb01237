import { createHash } from 'node:crypto';
import { constants, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import { ifThere } from '../if-there.ts';
import { OWNER_FILE_MODE } from '../owner-only.ts';

/** The texts of blocks, a line each, that may not be on the disk under their own names yet. */
const RECENT = '.recent';
/** The same, of a time before: nothing is added any more. */
const EARLIER = '.recent.earlier';
const MAX_BYTES = 16 * 1024 * 1024;
/** Whoever had the file open when it got its other name has ended. */
const QUIET_MS = 60_000;
/** Absent on Windows. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Opens a file of the archive, never through a link: a link in its place is removed when something is added. */
export async function openOwn(file: string, flags: number) {
  try {
    return await open(file, flags | NO_LINK, OWNER_FILE_MODE);
  } catch (error) {
    if (codeOf(error) !== 'ELOOP' || (flags & constants.O_CREAT) === 0) throw error;
    await rm(file, { force: true });
    return open(file, flags | NO_LINK, OWNER_FILE_MODE);
  }
}

/**
 * What was kept lately, all of one request in one write that reaches the disk before it counts as kept. The files of the blocks
 * need not: a crash of the computer may leave them empty, and their text is found here.
 */
export class RecentBlocks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns when the texts, and the name of their file, are on the disk. @throws the system's error. */
  async add(texts: readonly string[]): Promise<void> {
    const file = await openOwn(this.#file(RECENT), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    try {
      // The line before may have no end: its process was killed.
      await file.appendFile(`\n${texts.join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#syncFolder();
  }

  /** The texts whose hash begins with these digits, by their hash. Linear in what was kept lately. */
  async find(prefix: string): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const name of [EARLIER, RECENT])
      for (const [hash, text] of await this.#read(name)) if (hash.startsWith(prefix)) found.set(hash, text);
    return found;
  }

  /** Makes sure, where much was kept, that the files of the earliest are on the disk: `settle` does so for one. @throws the system's error. */
  async tidy(settle: (hash: string, text: string) => Promise<void>): Promise<void> {
    const earlier = await stat(this.#file(EARLIER)).catch(() => undefined);
    if (earlier !== undefined) {
      if (Date.now() - earlier.ctimeMs < QUIET_MS) return;
      for (const [hash, text] of await this.#read(EARLIER)) await settle(hash, text);
      await this.#syncFolder();
      await rm(this.#file(EARLIER), { force: true });
    }
    const recent = await stat(this.#file(RECENT)).catch(() => undefined);
    if (recent !== undefined && recent.size > MAX_BYTES) await rename(this.#file(RECENT), this.#file(EARLIER));
  }

  /** Takes the texts with these hashes out: empty lines stay in their place, so that others may add meanwhile. @throws the system's error. */
  async forget(isForgotten: (hash: string) => boolean): Promise<void> {
    // In this order: another process may give the first one the name of the second.
    for (const name of [RECENT, EARLIER]) {
      const file = await ifThere(openOwn(this.#file(name), constants.O_RDWR));
      if (file === undefined) continue;
      try {
        const bytes = await file.readFile();
        let at = 0;
        while (at < bytes.length) {
          const found = bytes.indexOf(10, at);
          const end = found === -1 ? bytes.length : found;
          const line = bytes.subarray(at, end);
          if (isForgotten(hashOf(line.toString()))) await file.write(Buffer.alloc(line.length, 10), 0, line.length, at);
          at = end + 1;
        }
        await file.sync();
      } finally {
        await file.close();
      }
    }
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  async #read(name: string): Promise<[hash: string, text: string][]> {
    const lines = await readFile(this.#file(name), { encoding: 'utf8', flag: constants.O_RDONLY | NO_LINK }).catch(
      () => '',
    );
    return lines.split('\n').flatMap((text) => (text === '' ? [] : [[hashOf(text), text]]));
  }

  async #syncFolder(): Promise<void> {
    // Windows syncs no folders.
    if (process.platform === 'win32') return;
    const folder = await open(this.#folder, 'r');
    await folder.sync().finally(() => folder.close());
  }
}
