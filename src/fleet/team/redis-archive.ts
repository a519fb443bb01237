import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ContentBlock } from '../../content/content.ts';
import { isContent } from '../../content/content-guard.ts';
import { readOr } from '../../content/foreign-value.ts';
import { archiveName } from '../../disk/block-archive.ts';
import type { KeptOn } from './redis-store.ts';

const [packed, unpacked] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Removed texts on a Redis server, by the hash that a marker names. */
export const redisArchive = ({ link, prefix, keepSeconds }: KeptOn) => ({
  /** Returns when all are kept. @throws if the server does not answer in time. */
  async keep(blocks: readonly ContentBlock[]): Promise<void> {
    const texts = await Promise.all(blocks.map((block) => packed(JSON.stringify(block))));
    await link.run(async (redis) => {
      const asked = redis.pipeline();
      for (const [at, block] of blocks.entries()) asked.set(prefix + archiveName(block), texts[at]!, 'EX', keepSeconds);
      const failed = (await asked.exec())?.find(([error]) => error !== null);
      if (failed?.[0]) throw failed[0];
    });
  },
  /** The block that a marker names; undefined if it is not there any more, or damaged. @throws if the server does not answer in time. */
  async find(name: string): Promise<ContentBlock | undefined> {
    const kept = await link.run((redis) => redis.getBuffer(prefix + name));
    if (kept === null) return undefined;
    const text = await unpacked(kept).catch(() => '');
    const block: unknown = readOr(() => JSON.parse(text.toString()), undefined);
    const entry: unknown = { speaker: 'tool', blocks: [block] };
    return isContent(entry) ? entry.blocks[0] : undefined;
  },
});
