import { hidesEarlier } from '../../content/seen-from.ts';
import { readItem } from '../../formats/anthropic/anthropic-content.ts';
import type { MessageLike } from '../contract.ts';
import { blocksOf } from '../message.ts';

const isSummary = (message: MessageLike): boolean =>
  blocksOf(message).some(
    (item) =>
      item['type'] === 'compaction' &&
      hidesEarlier({ speaker: 'ai', blocks: readItem(item, [], () => '').map(({ block }) => block) }),
  );

/** The messages that the model sees: system messages, and those from its provider's last summary on. */
export function seenMessages(messages: readonly MessageLike[]): readonly MessageLike[] {
  const from = messages.findLastIndex(isSummary);
  return messages.filter(({ role }, at) => at >= from || role === 'system');
}
