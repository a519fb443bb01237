import type { ArchivedBlock } from '../disk/block-archive.ts';
import { byteSize, counted } from './figures.ts';

/** How much an archive has, in total and in time. */
export interface ArchiveSize {
  readonly blocks: number;
  /** The size of their files. */
  readonly sizeBytes: number;
  /** When the first and the last one was kept or used, in milliseconds since 1970; absent if there is none. */
  readonly oldestAt?: number;
  readonly newestAt?: number;
}

/** The size of an archive with these blocks, newest first. */
export function archiveSize(blocks: readonly ArchivedBlock[]): ArchiveSize {
  const sizeBytes = blocks.reduce((sum, block) => sum + block.sizeBytes, 0);
  const [newest, oldest] = [blocks[0], blocks.at(-1)];
  return {
    blocks: blocks.length,
    sizeBytes,
    ...(oldest && newest && { oldestAt: oldest.keptAt, newestAt: newest.keptAt }),
  };
}

const minute = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/** `2 blocks of removed text, 12 kB, from 2026-01-02 10:00 to 2026-01-03 11:30 (UTC)`. */
export function archiveSizeText({ blocks, sizeBytes, oldestAt, newestAt }: ArchiveSize): string {
  const times =
    oldestAt === undefined || newestAt === undefined ? '' : `, from ${minute(oldestAt)} to ${minute(newestAt)} (UTC)`;
  return `${counted(blocks, 'block')} of removed text, ${byteSize(sizeBytes)}${times}`;
}
