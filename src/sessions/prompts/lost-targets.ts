import type { ContentBlock, IContent } from '../../content/content.ts';
import { madeOnce } from '../../content/group-by.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { isMessageId, messageId } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import { requestText, sentId } from './request-text.ts';

/** The ids under which decisions know the results and the words of users in these entries, and those of the calls alone. */
function knownIds(entries: readonly IContent[], hashes: Map<ContentBlock, string>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const entry of entries)
    for (const block of entry.blocks) {
      const message = messageId(entry, block);
      if (message !== undefined) ids.add(message);
      if (block.type !== 'tool_response') continue;
      const hash = madeOnce(hashes, block, () => hashOf(requestText(block) ?? ''));
      ids.add(sentId(block)).add(`${sentId(block)} ${hash}`);
    }
  return ids;
}

/**
 * Finds, in a list of entries that an agent went on from, what it left out of those that it had: a form that refers to that is not sent
 * any more. What the agent recorded in other words than it sent is found by the id of its call.
 */
export function lostTargets(all: readonly IContent[]): (list: readonly IContent[]) => (id: string) => boolean {
  const hashes = new Map<ContentBlock, string>();
  const known = knownIds(all, hashes);
  return (list) => {
    const listed = knownIds(list, hashes);
    return (id) => {
      if (listed.has(id)) return false;
      return known.has(id) || !(isMessageId(id) || listed.has(id.slice(0, id.lastIndexOf(' '))));
    };
  };
}
