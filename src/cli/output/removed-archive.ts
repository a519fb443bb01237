import type { IContent } from '../../content/content.ts';
import { BlockArchive, removedBlocks } from '../../disk/block-archive.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { archiveFolder } from '../../sessions/places/data-folder.ts';

/**
 * Keeps the removed blocks in the user's archive.
 * @throws CompressionStrategyError `OUTPUT_FAILED`: do not write the session then.
 */
export async function keepRemoved(before: readonly IContent[], after: readonly IContent[]): Promise<void> {
  const archive = new BlockArchive(archiveFolder());
  try {
    await archive.keep(removedBlocks(before, after));
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected to keep the removed text in ${archive.folder}, but ${reasonOf(cause)}. The session was not written.`,
      'OUTPUT_FAILED',
      { cause },
    );
  }
}
