import type { ContentBlock, IContent } from './content.ts';

/** In `providerMetadata` of a block: its provider wrote it in place of everything before it, and shows its model nothing of that. */
export const REPLACES_EARLIER = 'replacesEarlier';

/**
 * True for a summary that a provider made of everything before it. Messages: "The API drops what came before the block".
 * Responses: items before it may be dropped, but a list that the API compacted has messages before it.
 * Sources: https://platform.claude.com/docs/en/build-with-claude/compaction,
 * https://developers.openai.com/api/docs/guides/compaction
 */
const isProviderSummary = (block: ContentBlock): boolean => dropsEverything(block) || mayKeepMessages(block);

const dropsEverything = ({ providerMetadata }: ContentBlock): boolean => providerMetadata?.[REPLACES_EARLIER] === true;

const mayKeepMessages = (block: ContentBlock): boolean =>
  block.type === 'thinking' && block.sourceField === 'compaction';

const isMessage = ({ blocks }: IContent): boolean => blocks.every(({ type }) => type === 'text' || type === 'media');

/** True for an entry before which the model sees nothing for sure. */
export const hidesEarlier = ({ blocks }: IContent): boolean => blocks.some(isProviderSummary);

/** The first entry of which it is sure that the model sees it: the one with the provider's last summary; 0 if there is none. */
export const seenFrom = (entries: readonly IContent[]): number => Math.max(0, entries.findLastIndex(hidesEarlier));

/** The entries that the provider still reads for its model; the same list if these are all. */
export function stillRead(entries: readonly IContent[]): readonly IContent[] {
  const from = seenFrom(entries);
  if (from === 0) return entries;
  const keepsMessages = !entries[from]!.blocks.some(dropsEverything);
  return entries.filter((entry, at) => at >= from || (keepsMessages && isMessage(entry)));
}
