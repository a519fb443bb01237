import { readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { DAY_MS } from '../../durations.ts';
import { ifThere } from '../if-there.ts';
import { OWNER_FILE_MODE } from '../owner-only.ts';
import { replaceFile } from '../temporary-file.ts';

const deflated = promisify(deflate);
const inflated = promisify(inflate);

/** So many files are remembered whose text was read. */
const MAX_READ = 50_000;
/** The first byte of deflated text; that of JSON is another. Source: RFC 1950, section 2.2. */
const DEFLATED = 0x78;
const NAME = /^([0-9a-f]{64})\.json$/;
/** A block that is used again within this time keeps the time that it has. */
export const USE_STEP_MS = DAY_MS;

/** The hash of the block in a file of this name; `undefined` for the name of another file. */
export const hashIn = (name: string): string | undefined => NAME.exec(name)?.[1];

/** The files of blocks, named after the hash of their text. They are deflated where that is shorter; those of earlier versions are not. */
export class BlockFiles {
  readonly #folder: string;
  /** Sizes of files whose text this process read or wrote, by their hash. */
  readonly #sizes = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(hash: string): string {
    return path.join(this.#folder, `${hash}.json`);
  }

  /** The text of a file, another one if the file is damaged; `undefined` if there is none. @throws the system's error. */
  async read(hash: string): Promise<string | undefined> {
    const bytes = await ifThere(readFile(this.of(hash)));
    if (bytes?.[0] !== DEFLATED) return bytes?.toString();
    return inflated(bytes).then(String, () => '');
  }

  /** True if the file is there with this text, which is read once; it gets a new time then. */
  async isKept(hash: string, text: string): Promise<boolean> {
    try {
      const { size } = await stat(this.of(hash));
      if (this.#sizes.get(hash) !== size && (await this.read(hash)) !== text) return false;
      await this.#renew(hash);
      this.#note(hash, size);
      return true;
    } catch {
      return false;
    }
  }

  /** Gives a file a new time, unless it got one within a day. Never rejects: whoever may not write here may still read. */
  async use(hash: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(this.of(hash));
      if (Date.now() - mtimeMs > USE_STEP_MS) await this.#renew(hash);
    } catch {
      // It counts as used when it was kept.
    }
  }

  /** Deletes a file that has this time; false if it has another one, because it was kept again, or is not there. @throws the system's error. */
  async remove(hash: string, keptAt: number): Promise<boolean> {
    const status = await stat(this.of(hash)).catch(() => undefined);
    if (status?.mtimeMs !== keptAt) return false;
    await rm(this.of(hash), { force: true });
    return true;
  }

  /** Gives a file the present time. */
  async #renew(hash: string): Promise<void> {
    const now = new Date();
    await utimes(this.of(hash), now, now);
  }

  /** Writes the file, complete or not at all. @throws the system's error. */
  async write(hash: string, text: string, options: { readonly isSynced: boolean }): Promise<void> {
    const plain = Buffer.from(text);
    const short = await deflated(plain);
    const bytes = short.length < plain.length ? short : plain;
    await replaceFile(this.of(hash), bytes, { mode: OWNER_FILE_MODE, ...options });
    this.#note(hash, bytes.length);
  }

  /** Makes sure that a file with this text is on the disk, unless it was deleted. @throws the system's error. */
  async settle(hash: string, text: string): Promise<void> {
    if ((await stat(this.of(hash)).catch(() => undefined)) !== undefined)
      await this.write(hash, text, { isSynced: true });
  }

  #note(hash: string, sizeBytes: number): void {
    if (this.#sizes.size >= MAX_READ) this.#sizes.clear();
    this.#sizes.set(hash, sizeBytes);
  }
}
