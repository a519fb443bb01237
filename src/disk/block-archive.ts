import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ContentBlock, IContent } from '../content/content.ts';
import { isContent } from '../content/content-guard.ts';
import { CompressionStrategyError } from '../errors.ts';
import { SerialQueue } from '../serial-queue.ts';
import { ArchiveNames } from './archive/archive-names.ts';
import { type ArchiveLimits, ArchiveRoom, isOfBlock, NAME_CHARACTERS } from './archive/archive-room.ts';
import { BlockFiles, hashIn } from './archive/block-files.ts';
import { filesIn } from './archive/oldest-first.ts';
import { RecentBlocks } from './archive/recent-blocks.ts';
import { makeOwnerFolder } from './owner-only.ts';

/** Fewest digits of a hash that name a block. */
const MIN_HASH_CHARACTERS = 4;
/** Of hashes that begin alike. */
const MAX_NAMED = 3;

/** The identity of a block in any history: SHA-256 of its JSON. */
export function blockHash(block: ContentBlock): string {
  return hashOf(JSON.stringify(block));
}

/** The start of a block's name in the archive, long enough to find it by. */
export const archiveName = (block: ContentBlock): string => blockHash(block).slice(0, NAME_CHARACTERS);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Facts of an archived block, without its content. */
export interface ArchivedBlock {
  readonly hash: string;
  /** The size of its file, which is compressed. */
  readonly sizeBytes: number;
  /** When it was kept or used last, in milliseconds since 1970. */
  readonly keptAt: number;
}

/** An archived block with its content. */
export interface ReadBlock extends ArchivedBlock {
  readonly block: ContentBlock;
}

/** So many files are open at the same time. */
const MAX_AT_ONCE = 32;

/** Does the work for each item, for some at once: each waits for the disk several times. @throws the first error. */
async function someAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const next = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, next));
}

/**
 * Removed blocks, each in its own file, named after its hash, deflated. A file appears complete or not at all, and only its owner
 * may read it. What is kept survives a crash of the computer. Beyond `mostBytes` the blocks used longest ago are deleted, after the first `keep` and after each sixteenth of the
 * limit, which nobody waits for: 85,000 files take two seconds. What was kept or used within `keepDays` is never deleted: where that exceeds the limit, nothing more is kept.
 */
export class BlockArchive {
  readonly folder: string;
  readonly #keeping = new SerialQueue();
  readonly #names: ArchiveNames;
  readonly #recent: RecentBlocks;
  readonly #files: BlockFiles;
  readonly #room: ArchiveRoom;

  constructor(folder: string, limits: ArchiveLimits = {}) {
    this.folder = path.resolve(folder);
    this.#names = new ArchiveNames(this.folder);
    this.#recent = new RecentBlocks(this.folder);
    this.#files = new BlockFiles(this.folder);
    this.#room = new ArchiveRoom(this.folder, this.#files, limits);
  }

  /**
   * Keeps every block, in the order of the calls. A block that exists gets a new time.
   * @throws CompressionStrategyError `ARCHIVE_FULL` if one is new and nothing more may be kept; the system's error.
   */
  keep(blocks: readonly ContentBlock[]): Promise<void> {
    return this.#keeping.run(() => this.#keep(blocks));
  }

  /** The archived blocks, newest first, when all room is made. */
  async list(): Promise<readonly ArchivedBlock[]> {
    await this.#room.made;
    const found: ArchivedBlock[] = [];
    for await (const { name, ...facts } of filesIn(this.folder, (file) => hashIn(file) !== undefined))
      found.push({ hash: hashIn(name)!, ...facts });
    return found.sort((one, other) => other.keptAt - one.keptAt);
  }

  /** True while nothing new is kept. */
  isFull(): Promise<boolean> {
    return this.#room.isFull();
  }

  /** The limits in force. */
  get limits(): { readonly mostBytes: number; readonly keepDays: number } {
    const { mostBytes, keepDays } = this.#room;
    return { mostBytes, keepDays };
  }

  /** The content of archived blocks, in their order. One that was deleted or changed meanwhile is left out. */
  async contents(blocks: readonly ArchivedBlock[]): Promise<readonly ReadBlock[]> {
    const texts = new Map<string, string>();
    await someAtOnce(blocks, async ({ hash }) => {
      const text = await this.#files.read(hash).catch(() => undefined);
      if (text !== undefined && hashOf(text) === hash) texts.set(hash, text);
    });
    const recent = texts.size < blocks.length ? await this.#recent.find('') : undefined;
    return blocks.flatMap((archived) => {
      const text = texts.get(archived.hash) ?? recent?.get(archived.hash);
      try {
        return text === undefined ? [] : { ...archived, block: this.#checked(archived.hash, text) };
      } catch {
        // `find` says why.
        return [];
      }
    });
  }

  /**
   * The block whose hash is, or begins with, `wanted`, which counts as used now. The folder is not read again for twelve digits or more that are known, or were added
   * since it was read.
   * @throws CompressionStrategyError `ARCHIVE_UNKNOWN` when there is none, several, or one that was changed.
   */
  async find(wanted: string): Promise<{ readonly hash: string; readonly block: ContentBlock }> {
    const prefix = wanted.toLowerCase();
    const isHash = prefix.length >= MIN_HASH_CHARACTERS && /^[0-9a-f]+$/.test(prefix);
    if (!isHash) {
      throw unknown(`Expected at least ${MIN_HASH_CHARACTERS} digits of a hash (0-9, a-f), got "${wanted}".`);
    }
    const names = this.#names;
    const isSure = prefix.length >= NAME_CHARACTERS;
    // Another text with the same first digits may have been added since.
    if (isSure && names.count > 0) await names.readAdded();
    let found = isSure ? names.known(prefix) : [];
    if (found.length === 0) {
      await names.readAll();
      found = names.known(prefix);
    }
    if (found.length === 0) found = [...(await this.#recent.find(prefix)).keys()];
    const [hash, ...others] = found;
    if (hash === undefined) {
      throw unknown(
        `Expected a block that is kept in ${this.folder}, got ${wanted}, which is not among ${names.count}. \`density wrap\` and \`density proxy\` keep what they remove, and other commands do where \`compression.density.archive\` is on.`,
      );
    }
    if (others.length > 0) {
      throw unknown(
        `Expected one block, got ${wanted}, which ${found.length} begin with. Give more of the hash: ${found.slice(0, MAX_NAMED).join(', ')}.`,
      );
    }
    const block = this.#checked(hash, await this.#textOf(hash));
    await this.#files.use(hash);
    return { hash, block };
  }

  /** The text of a block: that of its file, unless a crash of the computer damaged it. */
  async #textOf(hash: string): Promise<string> {
    const text = await this.#files.read(hash);
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
    let keptBytes = 0;
    if (missing.size > 0) {
      await this.#room.assertRoom();
      await this.#recent.add([...missing.values()]);
      await someAtOnce([...missing], async ([hash, text]) => {
        await this.#files.write(hash, text, { isSynced: false });
        keptBytes += Buffer.byteLength(text);
      });
      await this.#names.add([...missing.keys()]);
    }
    // What cannot be deleted now takes room until the next time.
    if (this.#room.isDueAfter(keptBytes)) void this.makeRoom().catch(() => {});
  }

  /** Deletes what was used longest ago, as far as all exceeds the limit, and what was never finished. @throws the system's error. */
  async makeRoom(): Promise<void> {
    await this.#room.make();
    await this.#names.tidy();
    await this.#recent.tidy((hash, text) => this.#files.settle(hash, text));
  }

  /** Deletes these blocks, but none that was kept or used again since it was listed. Returns those that were deleted. @throws the system's error. */
  async delete(blocks: readonly ArchivedBlock[]): Promise<readonly ArchivedBlock[]> {
    const deleted: ArchivedBlock[] = [];
    await someAtOnce(blocks, async (block) => {
      if (await this.#files.remove(block.hash, block.keptAt)) deleted.push(block);
    });
    const hashes = new Set(deleted.map(({ hash }) => hash));
    await this.#recent.forget((hash) => hashes.has(hash));
    await this.makeRoom();
    return deleted;
  }

  /** Deletes every block, and what was never finished. Returns the blocks that there were. @throws the system's error. */
  async deleteAll(): Promise<readonly ArchivedBlock[]> {
    const blocks = await this.list();
    for await (const { name } of filesIn(this.folder, isOfBlock))
      await rm(path.join(this.folder, name), { force: true });
    await this.#recent.forget(() => true);
    await this.makeRoom();
    return blocks;
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
