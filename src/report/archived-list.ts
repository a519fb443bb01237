import type { ArchivedBlock } from '../disk/block-archive.ts';
import { byteSize, counted } from './figures.ts';

const MOST_LISTED = 20;
/** Long enough to find a block by. */
const SHORT_HASH = 12;

/** A line for each of the first blocks: hash, time (UTC) and size. Then how many more there are. */
export function archivedList(blocks: readonly ArchivedBlock[]): string[] {
  const lines = blocks.slice(0, MOST_LISTED).map(({ hash, sizeBytes, keptAt }) => {
    const time = new Date(keptAt).toISOString().slice(0, 16).replace('T', ' ');
    return `${hash.slice(0, SHORT_HASH)}  ${time}  ${byteSize(sizeBytes).padStart(8)}`;
  });
  const more = blocks.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, 'older block')}`] : lines;
}
