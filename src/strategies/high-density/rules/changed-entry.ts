import type { ContentBlock, IContent } from '../../../content/content.ts';

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking';

/** True for a block that says nothing to a model. */
export const isBlank = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === '';

/** An entry with other blocks; an answer without its thinking is not as long as its provider said. */
export function changedEntry(entry: IContent, blocks: readonly ContentBlock[]): IContent {
  const usage = entry.metadata?.usage;
  if (usage === undefined || blocks.some(isThinking) || !entry.blocks.some(isThinking)) return { ...entry, blocks };
  const shorter = { ...usage, completionTokens: 0, reported: usage.reported ?? usage };
  return { ...entry, blocks, metadata: { ...entry.metadata, usage: shorter } };
}
