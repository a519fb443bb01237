import { readFile, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { OWNER_FILE_MODE } from '../owner-only.ts';
import { temporaryFile } from '../temporary-file.ts';

/** So many files are remembered whose text was read. */
const MOST_READ = 50_000;

/** The files of blocks, named after the hash of their text. */
export class BlockFiles {
  readonly #folder: string;
  /** Hashes of files whose text this process read or wrote. */
  readonly #read = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(hash: string): string {
    return path.join(this.#folder, `${hash}.json`);
  }

  /** True if the file is there with this text, which is read once; it gets a new time then. */
  async isKept(hash: string, text: string): Promise<boolean> {
    const file = this.of(hash);
    try {
      if ((await stat(file)).size !== Buffer.byteLength(text)) return false;
      if (!this.#read.has(hash) && (await readFile(file, 'utf8')) !== text) return false;
      const now = new Date();
      await utimes(file, now, now);
    } catch {
      return false;
    }
    this.#note(hash);
    return true;
  }

  /** Writes the file, complete or not at all. @throws the system's error. */
  async write(hash: string, text: string, options: { readonly isSynced: boolean }): Promise<void> {
    const temporary = await temporaryFile(this.of(hash), [Buffer.from(text)], { mode: OWNER_FILE_MODE, ...options });
    try {
      await temporary.replace();
    } finally {
      await temporary.discard();
    }
    this.#note(hash);
  }

  #note(hash: string): void {
    if (this.#read.size >= MOST_READ) this.#read.clear();
    this.#read.add(hash);
  }
}
