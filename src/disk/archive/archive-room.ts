import { constants, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { type BlockFiles, hashIn, USE_STEP_MS } from './block-files.ts';
import { filesIn, type KeptFile, oldestBeyond } from './oldest-first.ts';
import { openOwn } from './recent-blocks.ts';

const DEFAULT_BYTES = 256e6;
const DEFAULT_DAYS = 30;
/** It is there while nothing more is kept, also for processes that know no limits. */
const FULL = '.full';
/** A full archive is looked through again after this. */
const AGAIN_MS = 10 * MINUTE_MS;
/** Room is made when this part of the limit was kept since. */
const ROOM_PART = 1 / 16;
const UNFINISHED = /^\.[0-9a-f]{64}\..*\.tmp$/;
/** An unfinished file older than this is removed. */
const UNFINISHED_MS = HOUR_MS;
/** Digits of a hash in a marker. */
export const NAME_CHARACTERS = 12;

/** Limits of an archive, read at each use. */
export interface ArchiveLimits {
  /** The most bytes of the files of blocks; default: 256 MB. `Infinity`: another process makes room. */
  readonly mostBytes?: number;
  /** What was kept or used within so many days is not deleted; default: 30. */
  readonly keepDays?: number;
  /** The first twelve digits of the hashes that conversations name which were used since then: their blocks are not deleted either. */
  readonly namedSince?: (sinceMs: number) => Promise<ReadonlySet<string>>;
}

/** True for a file of a block, and for one that was not finished. */
export const isOfBlock = (name: string): boolean => hashIn(name) !== undefined || UNFINISHED.test(name);

/** What an archive may take on the disk. */
export class ArchiveRoom {
  readonly #folder: string;
  readonly #files: BlockFiles;
  readonly #limits: ArchiveLimits;
  readonly #making = new SerialQueue();
  #madeAtMs = Number.NEGATIVE_INFINITY;
  #keptSinceBytes = Number.POSITIVE_INFINITY;

  constructor(folder: string, files: BlockFiles, limits: ArchiveLimits) {
    this.#folder = folder;
    this.#files = files;
    this.#limits = limits;
  }

  /** Resolves when all room is made that was asked for. Never rejects. */
  get made(): Promise<void> {
    return this.#making.idle();
  }

  get mostBytes(): number {
    return this.#limits.mostBytes ?? DEFAULT_BYTES;
  }

  get keepDays(): number {
    return this.#limits.keepDays ?? DEFAULT_DAYS;
  }

  async isFull(): Promise<boolean> {
    return (await stat(this.#full).catch(() => undefined)) !== undefined;
  }

  /** Returns if more may be kept. @throws CompressionStrategyError `ARCHIVE_FULL`, or the system's error. */
  async assertRoom(): Promise<void> {
    if (!(await this.isFull())) return;
    // Others may have deleted something, the limit may be another one, and blocks grow old.
    const isDue = this.mostBytes !== Number.POSITIVE_INFINITY && performance.now() - this.#madeAtMs > AGAIN_MS;
    if (isDue) {
      await this.make();
      if (!(await this.isFull())) return;
    }
    throw new CompressionStrategyError(
      `Expected room in the archive ${this.#folder}, but it is full, and all of it was used within \`compression.density.archiveDays\`. \`density restore --delete <session or all>\` makes room, \`compression.density.archiveMegabytes\` raises the limit.`,
      'ARCHIVE_FULL',
    );
  }

  /** True once enough was kept since room was made last, and at first. */
  isDueAfter(keptBytes: number): boolean {
    this.#keptSinceBytes += keptBytes;
    return this.mostBytes !== Number.POSITIVE_INFINITY && this.#keptSinceBytes >= this.mostBytes * ROOM_PART;
  }

  /**
   * Deletes what was used longest ago, as far as all exceeds the limit, and what was never finished. What may not be deleted makes
   * the archive full if it exceeds the limit. @throws the system's error.
   */
  make(): Promise<void> {
    this.#keptSinceBytes = 0;
    return this.#making.run(() => this.#make());
  }

  async #make(): Promise<void> {
    const blocks: KeptFile[] = [];
    let leftBytes = 0;
    for await (const file of filesIn(this.#folder, isOfBlock)) {
      if (hashIn(file.name) !== undefined) {
        blocks.push(file);
        leftBytes += file.sizeBytes;
      } else if (Date.now() - file.keptAt > UNFINISHED_MS)
        await rm(path.join(this.#folder, file.name), { force: true });
    }
    if (leftBytes > this.mostBytes) {
      const unused = await this.#unused(blocks);
      const unusedBytes = unused.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      for await (const file of oldestBeyond(unused, this.mostBytes - (leftBytes - unusedBytes))) {
        if (await this.#files.remove(hashIn(file.name)!, file.keptAt)) leftBytes -= file.sizeBytes;
      }
    }
    await this.#setFull(leftBytes > this.mostBytes);
    this.#madeAtMs = performance.now();
  }

  /** The blocks that may be deleted. */
  async #unused(blocks: readonly KeptFile[]): Promise<readonly KeptFile[]> {
    const sinceMs = Date.now() - this.keepDays * DAY_MS - USE_STEP_MS;
    const old = blocks.filter(({ keptAt }) => keptAt < sinceMs);
    const { namedSince } = this.#limits;
    if (old.length === 0 || namedSince === undefined) return old;
    const named = await namedSince(sinceMs);
    return old.filter(({ name }) => !named.has(name.slice(0, NAME_CHARACTERS)));
  }

  get #full(): string {
    return path.join(this.#folder, FULL);
  }

  async #setFull(isFull: boolean): Promise<void> {
    if (!isFull) return rm(this.#full, { force: true });
    const file = await openOwn(this.#full, constants.O_WRONLY | constants.O_CREAT);
    await file.close();
  }
}
