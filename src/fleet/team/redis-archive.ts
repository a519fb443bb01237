import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ContentBlock } from '../../content/content.ts';
import { isContent } from '../../content/content-guard.ts';
import { readOr } from '../../content/foreign-value.ts';
import { archiveName } from '../../disk/block-archive.ts';
import type { KeptOn } from './redis-store.ts';

const packed = promisify(deflateRaw);
const unpacked = promisify(inflateRaw);

/** The text of kept bytes; empty if they are damaged. */
const textOf = async (bytes: Buffer): Promise<string> => String(await unpacked(bytes).catch(() => ''));

/** Keeps what is new; gives what is kept already, for longer. */
const KEEP = `
if redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX') then return false end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return redis.call('GET', KEYS[1])`;

/** Removed texts on a Redis server, by the start of their hash, as a marker names it. */
export const redisArchive = ({ link, prefix, keepSeconds }: KeptOn) => ({
  /** Returns when all are kept. @throws if the server does not answer in time, or keeps another text by the name of one. */
  async keep(blocks: readonly ContentBlock[]): Promise<void> {
    const texts = blocks.map((block) => JSON.stringify(block));
    const bytes = await Promise.all(texts.map((text) => packed(text)));
    const replies = await link.run((redis) => {
      const asked = redis.pipeline();
      for (const [at, block] of blocks.entries())
        asked.callBuffer('EVAL', KEEP, 1, prefix + archiveName(block), bytes[at]!, keepSeconds);
      return asked.exec();
    });
    for (const [at, [error, kept]] of (replies ?? []).entries()) {
      if (error) throw error;
      // Texts are compared, because other versions of Node may make other bytes of one.
      if (kept !== null && (await textOf(kept as Buffer)) !== texts[at])
        throw new Error(
          `Expected the text that is kept as ${archiveName(blocks[at]!)} to be the same, got another one.`,
        );
    }
  },
  /** The block that a marker names; undefined if it is not there any more, or not as it was kept. @throws if the server does not answer in time. */
  async find(name: string): Promise<ContentBlock | undefined> {
    const kept = await link.run((redis) => redis.getBuffer(prefix + name));
    if (kept === null) return undefined;
    const text = await textOf(kept);
    const entry: unknown = { speaker: 'tool', blocks: [readOr(() => JSON.parse(text), undefined)] };
    const [block] = isContent(entry) ? entry.blocks : [];
    return block && archiveName(block) === name ? block : undefined;
  },
});
