import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ContentBlock, IContent } from '../content/content.ts';
import { isContent } from '../content/content-guard.ts';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { ArchiveNames } from './archive/archive-names.ts';
import { BlockFiles } from './archive/block-files.ts';
import { filesIn, type KeptFile, oldestBeyond } from './archive/oldest-first.ts';
import { RecentBlocks } from './archive/recent-blocks.ts';
import { someAtOnce } from './archive/some-at-once.ts';
import { makeOwnerFolder } from './owner-only.ts';

const USUAL_SIZE_BYTES = 256 * 1024 * 1024;
const NAME = /^([0-9a-f]{64})\.json$/;
const UNFINISHED = /^\.[0-9a-f]{64}\..*\.tmp$/;
/** An unfinished file older than this is removed. */
const UNFINISHED_MS = 60 * 60_000;
/** Room is made when this part of the limit was kept since. */
const ROOM_PART = 1 / 16;
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
 * may read it. What is kept survives a crash of the computer. Beyond `mostBytes` the files kept longest ago are deleted, after the first `keep` and after each sixteenth of the
 * limit, which nobody waits for: 85,000 files take two seconds. With no limit nothing is deleted, and the folder is not read.
 */
export class BlockArchive {
  readonly folder: string;
  readonly #mostBytes: number;
  #turn: Promise<unknown> = Promise.resolve();
  #room: Promise<void> = Promise.resolve();
  #keptSinceRoom = Number.POSITIVE_INFINITY;
  readonly #names: ArchiveNames;
  readonly #recent: RecentBlocks;
  readonly #files: BlockFiles;

  constructor(folder: string, { mostBytes = USUAL_SIZE_BYTES }: { mostBytes?: number } = {}) {
    this.folder = path.resolve(folder);
    this.#mostBytes = mostBytes;
    this.#names = new ArchiveNames(this.folder);
    this.#recent = new RecentBlocks(this.folder);
    this.#files = new BlockFiles(this.folder);
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
    const found: ArchivedBlock[] = [];
    for await (const { name, ...facts } of filesIn(this.folder, (file) => NAME.test(file)))
      found.push({ hash: NAME.exec(name)![1]!, ...facts });
    return found.sort((one, other) => other.keptAt - one.keptAt);
  }

  /** `undefined` if another process deleted it meanwhile. */
  async #facts(hash: string): Promise<ArchivedBlock | undefined> {
    const status = await stat(this.#files.of(hash)).catch(() => undefined);
    return status && { hash, sizeBytes: status.size, keptAt: status.mtimeMs };
  }

  /** The content of archived blocks, in their order. One that was deleted or changed meanwhile is left out. */
  async contents(blocks: readonly ArchivedBlock[]): Promise<readonly ReadBlock[]> {
    const read: ReadBlock[] = [];
    for (const archived of blocks) {
      try {
        const text = await this.#textOf(archived.hash);
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
    if (found.length === 0) found = [...(await this.#recent.find(prefix)).keys()];
    const [hash, ...others] = found;
    if (hash === undefined) {
      throw unknown(
        `Expected a block that is kept in ${this.folder}, got ${wanted}, which is not among ${names.count}. Blocks are kept where \`compression.density.archive\` is on.`,
      );
    }
    if (others.length > 0) {
      throw unknown(`Expected one block, got ${wanted}, which ${found.length} begin with. Give more of the hash.`);
    }
    return { hash, block: this.#checked(hash, await this.#textOf(hash)) };
  }

  /** The text of a block: that of its file, unless a crash of the computer damaged it. */
  async #textOf(hash: string): Promise<string> {
    const text = await readFile(this.#files.of(hash), 'utf8').catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    if (text !== undefined && hashOf(text) === hash) return text;
    const recent = (await this.#recent.find(hash)).get(hash) ?? text;
    if (recent === undefined) throw unknown(`Expected the block ${hash}, but it was deleted meanwhile.`);
    return recent;
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
    const missing = new Map<string, string>();
    await someAtOnce(blocks, async (block) => {
      const text = JSON.stringify(block);
      const hash = hashOf(text);
      if (!(await this.#files.isKept(hash, text))) missing.set(hash, text);
    });
    if (missing.size > 0) {
      await this.#recent.add([...missing.values()]);
      await someAtOnce([...missing], async ([hash, text]) => {
        await this.#files.write(hash, text, { isSynced: false });
        this.#keptSinceRoom += Buffer.byteLength(text);
      });
      await this.#names.add([...missing.keys()]);
    }
    if (this.#mostBytes === Number.POSITIVE_INFINITY || this.#keptSinceRoom < this.#mostBytes * ROOM_PART) return;
    // What cannot be deleted now takes room until the next time.
    void this.makeRoom().catch(() => {});
  }

  /** Deletes what was kept longest ago, as far as it exceeds the limit, and what was never finished. @throws the system's error. */
  makeRoom(): Promise<void> {
    this.#keptSinceRoom = 0;
    const made = this.#room.then(() => this.#makeRoom());
    this.#room = made.catch(() => {});
    return made;
  }

  async #makeRoom(): Promise<void> {
    const blocks: KeptFile[] = [];
    for await (const file of filesIn(this.folder, (name) => NAME.test(name) || UNFINISHED.test(name))) {
      if (NAME.test(file.name)) blocks.push(file);
      else if (Date.now() - file.keptAt > UNFINISHED_MS) await rm(path.join(this.folder, file.name), { force: true });
    }
    for await (const { name, keptAt } of oldestBeyond(blocks, this.#mostBytes, Date.now())) {
      // It may have been kept again meanwhile.
      const hash = NAME.exec(name)![1]!;
      const now = await this.#facts(hash);
      if (now?.keptAt === keptAt) await rm(this.#files.of(hash), { force: true });
    }
    await this.#names.tidy();
    await this.#recent.tidy(async (hash, text) => {
      if ((await this.#facts(hash)) !== undefined) await this.#files.write(hash, text, { isSynced: true });
    });
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
