import { pairCalls } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { removedBlocks } from '../../disk/block-archive.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { userArchive } from '../../sessions/archive/user-archive.ts';
import { resolveSetting, type SettingLayers } from '../../settings/resolve.ts';

/** The calls that remain although their results were removed: they say what a result is about. */
function keptCalls(before: readonly IContent[], removed: readonly ContentBlock[]): ContentBlock[] {
  const isRemoved = new Set(removed);
  return pairCalls(before).responses.flatMap(({ response, call }) =>
    call && isRemoved.has(response) && !isRemoved.has(call.call) ? [call.call] : [],
  );
}

/**
 * Keeps the removed blocks in the user's archive, if the settings say so.
 * @throws CompressionStrategyError `OUTPUT_FAILED`: do not write the session then.
 */
export async function keepRemoved({
  before,
  after,
  layers,
}: {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
  readonly layers: SettingLayers;
}): Promise<void> {
  if (!resolveSetting(layers, 'compression.density.archive')) return;
  const removed = removedBlocks(before, after);
  const archive = userArchive(layers);
  try {
    await archive.keep([...keptCalls(before, removed), ...removed]);
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected to keep the removed text in ${archive.folder}, but ${reasonOf(cause)}. The session was not written.`,
      'OUTPUT_FAILED',
      { cause },
    );
  }
}
