import { createHash } from 'node:crypto';
import { readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { ContentBlock, IContent } from '../content/content.ts';
import { isContent } from '../content/content-guard.ts';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { ArchiveNames, namesIn } from './archive/archive-names.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from './owner-only.ts';
import { temporaryFile } from './temporary-file.ts';

const USUAL_SIZE_BYTES = 256 * 1024 * 1024;
const NAME = /^([0-9a-f]{64})\.json$/;
const UNFINISHED = /^\.[0-9a-f]{64}\..*\.tmp$/;
/** An unfinished file older than this is removed. */
const UNFINISHED_MS = 60 * 60_000;
/** Room is made when this part of the limit was kept since. */
const ROOM_PART = 1 / 16;
/** More would keep the thread. */
const STATS_AT_ONCE = 64;
/** Fewest digits of a hash that name a block. */
const LEAST_HASH_CHARACTERS = 4;
/** So many digits name one block alone. */
const SURE_HASH_CHARACTERS = 12;

/** The identity of a block in any history: SHA-256 of its JSON. */
export function blockHash(block: ContentBlock): string {
  return hashOf(JSON.stringify(block));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Facts of an archived block, without its content. */
export interface ArchivedBlock {
  readonly hash: string;
  readonly sizeBytes: number;
  /** When it was kept last, in milliseconds since 1970. */
  readonly keptAt: number;
}

/** An archived block with its content. */
export interface ReadBlock extends ArchivedBlock {
  readonly block: ContentBlock;
}

/**
 * Removed blocks, each in its own file, named after its hash. A file appears complete or not at all, and only its owner
 * may read it. Beyond `mostBytes` the files kept longest ago are deleted, after the first `keep` and after each sixteenth of the
 * limit, which nobody waits for: 85,000 files take two seconds. With no limit nothing is deleted, and the folder is not read.
 */
export class BlockArchive {
  readonly folder: string;
  readonly #mostBytes: number;
  #turn: Promise<unknown> = Promise.resolve();
  #room: Promise<void> = Promise.resolve();
  #keptSinceRoom = Number.POSITIVE_INFINITY;
  readonly #names: ArchiveNames;

  constructor(folder: string, { mostBytes = USUAL_SIZE_BYTES }: { mostBytes?: number } = {}) {
    this.folder = path.resolve(folder);
    this.#mostBytes = mostBytes;
    this.#names = new ArchiveNames(this.folder);
  }

  /** Keeps every block, in the order of the calls. A block that exists gets a new time. @throws the system's error. */
  keep(blocks: readonly ContentBlock[]): Promise<void> {
    const kept = this.#turn.then(() => this.#keep(blocks));
    this.#turn = kept.catch(() => {});
    return kept;
  }

  /** The archived blocks, newest first, when all room is made. */
  async list(): Promise<readonly ArchivedBlock[]> {
    await this.#room;
    return this.#blocks();
  }

  async #blocks(): Promise<readonly ArchivedBlock[]> {
    const hashes = (await namesIn(this.folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    const found: ArchivedBlock[] = [];
    for (let at = 0; at < hashes.length; at += STATS_AT_ONCE) {
      const facts = await Promise.all(hashes.slice(at, at + STATS_AT_ONCE).map((hash) => this.#facts(hash)));
      found.push(...facts.filter((block) => block !== undefined));
    }
    return found.sort((one, other) => other.keptAt - one.keptAt);
  }

  /** `undefined` if another process deleted it meanwhile. */
  async #facts(hash: string): Promise<ArchivedBlock | undefined> {
    const status = await stat(this.#file(hash)).catch(() => undefined);
    return status && { hash, sizeBytes: status.size, keptAt: status.mtimeMs };
  }

  #file(hash: string): string {
    return path.join(this.folder, `${hash}.json`);
  }

  /** The content of archived blocks, in their order. One that was deleted or changed meanwhile is left out. */
  async contents(blocks: readonly ArchivedBlock[]): Promise<readonly ReadBlock[]> {
    const read: ReadBlock[] = [];
    for (const archived of blocks) {
      try {
        const text = await readFile(this.#file(archived.hash), 'utf8');
        read.push({ ...archived, block: this.#checked(archived.hash, text) });
      } catch {
        // `find` says why.
      }
    }
    return read;
  }

  /**
   * The block whose hash is, or begins with, `wanted`. The folder is not read again for twelve digits or more that are known, or were added
   * since it was read.
   * @throws CompressionStrategyError `ARCHIVE_UNKNOWN` when there is none, several, or one that was changed.
   */
  async find(wanted: string): Promise<{ readonly hash: string; readonly block: ContentBlock }> {
    const prefix = wanted.toLowerCase();
    const isHash = prefix.length >= LEAST_HASH_CHARACTERS && /^[0-9a-f]+$/.test(prefix);
    if (!isHash) {
      throw unknown(`Expected at least ${LEAST_HASH_CHARACTERS} digits of a hash (0-9, a-f), got "${wanted}".`);
    }
    const names = this.#names;
    const isSure = prefix.length >= SURE_HASH_CHARACTERS;
    let found = isSure ? names.known(prefix) : [];
    if (isSure && found.length === 0 && names.count > 0) {
      await names.readAdded();
      found = names.known(prefix);
    }
    if (found.length === 0) {
      await names.readAll();
      found = names.known(prefix);
    }
    const [hash, ...others] = found;
    if (hash === undefined) {
      throw unknown(
        `Expected a block that is kept in ${this.folder}, got ${wanted}, which is not among ${names.count}. Blocks are kept where \`compression.density.archive\` is on.`,
      );
    }
    if (others.length > 0) {
      throw unknown(`Expected one block, got ${wanted}, which ${found.length} begin with. Give more of the hash.`);
    }
    const text = await readFile(this.#file(hash), 'utf8').catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? unknown(`Expected the block ${hash}, but it was deleted meanwhile.`) : error;
    });
    return { hash, block: this.#checked(hash, text) };
  }

  #checked(hash: string, text: string): ContentBlock {
    if (hashOf(text) !== hash) {
      throw unknown(
        `Expected the block ${hash} as it was kept, got a file that was changed: ${path.join(this.folder, hash)}.json.`,
      );
    }
    const entry: unknown = { speaker: 'ai', blocks: [JSON.parse(text)] };
    if (!isContent(entry)) throw unknown(`Expected a block in ${path.join(this.folder, hash)}.json, got other JSON.`);
    return entry.blocks[0]!;
  }

  async #keep(blocks: readonly ContentBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    await makeOwnerFolder(this.folder);
    for (const block of blocks) await this.#keepOne(JSON.stringify(block));
    if (this.#mostBytes === Number.POSITIVE_INFINITY || this.#keptSinceRoom < this.#mostBytes * ROOM_PART) return;
    // What cannot be deleted now takes room until the next time.
    void this.makeRoom().catch(() => {});
  }

  async #keepOne(text: string): Promise<void> {
    const hash = hashOf(text);
    const file = this.#file(hash);
    const now = new Date();
    const isKept = await utimes(file, now, now).then(
      () => true,
      () => false,
    );
    if (isKept) return;
    const temporary = await temporaryFile(file, [Buffer.from(text)], { mode: OWNER_FILE_MODE, isSynced: false });
    try {
      await temporary.replace();
      this.#keptSinceRoom += Buffer.byteLength(text);
      await this.#names.add(hash);
    } finally {
      await temporary.discard();
    }
  }

  /** Deletes what was kept longest ago, as far as it exceeds the limit, and what was never finished. @throws the system's error. */
  makeRoom(): Promise<void> {
    this.#keptSinceRoom = 0;
    const made = this.#room.then(() => this.#makeRoom());
    this.#room = made.catch(() => {});
    return made;
  }

  async #makeRoom(): Promise<void> {
    let sizeBytes = 0;
    for (const block of await this.#blocks()) {
      sizeBytes += block.sizeBytes;
      if (sizeBytes <= this.#mostBytes) continue;
      // It may have been kept again meanwhile.
      const now = await this.#facts(block.hash);
      if (now?.keptAt === block.keptAt) await rm(this.#file(block.hash), { force: true });
    }
    await this.#names.tidy();
    for (const name of await namesIn(this.folder)) {
      if (!UNFINISHED.test(name)) continue;
      const file = path.join(this.folder, name);
      const status = await stat(file).catch(() => undefined);
      if (status !== undefined && Date.now() - status.mtimeMs > UNFINISHED_MS) await rm(file, { force: true });
    }
  }
}

/** The blocks of `before` that are not in `after`, by identity. */
export function removedBlocks(before: readonly IContent[], after: readonly IContent[]): ContentBlock[] {
  const kept = new Set(after.flatMap(({ blocks }) => blocks));
  return before.flatMap(({ blocks }) => blocks.filter((block) => !kept.has(block)));
}

function unknown(message: string): CompressionStrategyError {
  return new CompressionStrategyError(message, 'ARCHIVE_UNKNOWN');
}
