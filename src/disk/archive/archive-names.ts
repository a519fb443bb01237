import { constants, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ifThere } from '../if-there.ts';
import { hashIn } from './block-files.ts';
import { openOwn } from './recent-blocks.ts';

/** The names that were added, in their order, a line each: with it, others need not read the folder again. */
const ADDED = '.added';
const LINE_BYTES = 65;
/** A longer file is removed when room is made; the folder is then read once more. */
const MAX_ADDED_BYTES = 1 << 20;
/** Hashes are found by so many digits. */
const START_CHARACTERS = 4;

/** The hashes of the blocks in a folder. The folder, which may have 100,000 files, is read once; later only what was added. */
export class ArchiveNames {
  readonly #folder: string;
  #byStart = new Map<string, Set<string>>();
  #count = 0;
  /** The bytes read of the file of added names. */
  #readBytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How many were known when the folder was read last, and were added since. */
  get count(): number {
    return this.#count;
  }

  /** The known hashes that begin with these digits, at least four. */
  known(prefix: string): readonly string[] {
    return [...(this.#byStart.get(prefix.slice(0, START_CHARACTERS)) ?? [])].filter((hash) => hash.startsWith(prefix));
  }

  /** Tells others that files were added. @throws the system's error. */
  async add(hashes: readonly string[]): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
    const file = await openOwn(path.join(this.#folder, ADDED), flags);
    await file.appendFile(hashes.map((hash) => `${hash}\n`).join('')).finally(() => file.close());
  }

  /** Reads what was added since; the names of files that others delete stay known. @throws the system's error. */
  async readAdded(): Promise<void> {
    const text = await this.#added(this.#readBytes);
    for (const hash of text.split('\n')) if (hash.length === LINE_BYTES - 1) this.#note(hash);
    this.#readBytes += text.length;
  }

  /** Reads the folder. @throws the system's error. */
  async readAll(): Promise<void> {
    // What is added while the folder is read is read once more.
    const readBytes = (await this.#added(0)).length;
    const files = (await ifThere(readdir(this.#folder))) ?? [];
    this.#byStart = new Map();
    this.#count = 0;
    for (const file of files) {
      const hash = hashIn(file);
      if (hash !== undefined) this.#note(hash);
    }
    this.#readBytes = readBytes;
  }

  /** Removes the file of added names when it is long. @throws the system's error. */
  async tidy(): Promise<void> {
    if ((await this.#added(0)).length > MAX_ADDED_BYTES) await rm(path.join(this.#folder, ADDED), { force: true });
  }

  #note(hash: string): void {
    const start = hash.slice(0, START_CHARACTERS);
    const hashes = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, hashes);
    if (!hashes.has(hash)) this.#count++;
    hashes.add(hash);
  }

  /** The whole lines of the file of added names from this byte on. */
  async #added(from: number): Promise<string> {
    const file = await ifThere(openOwn(path.join(this.#folder, ADDED), constants.O_RDONLY));
    if (file === undefined) return '';
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.max(0, size - from));
      await file.read(bytes, 0, bytes.length, from);
      const text = bytes.toString('latin1');
      return text.slice(0, text.lastIndexOf('\n') + 1);
    } finally {
      await file.close();
    }
  }
}
