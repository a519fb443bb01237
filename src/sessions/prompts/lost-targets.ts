import type { ContentBlock, IContent } from '../../content/content.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { isMessageId, messageId } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import { requestText, sentId } from './request-text.ts';

/** The ids under which decisions know the results and the words of users in these entries, and those of the calls alone. */
class KnownIds {
  readonly #ids = new Set<string>();

  constructor(entries: readonly IContent[], hashes: Map<ContentBlock, string>) {
    for (const entry of entries)
      for (const block of entry.blocks) {
        const message = messageId(entry, block);
        if (message !== undefined) this.#ids.add(message);
        if (block.type !== 'tool_response') continue;
        const hash = hashes.get(block) ?? hashOf(requestText(block) ?? '');
        hashes.set(block, hash);
        this.#ids.add(sentId(block)).add(`${sentId(block)} ${hash}`);
      }
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

/**
 * Finds, in a list of entries that an agent went on from, what it left out of those that it had: a form that refers to that is not sent
 * any more. What the agent recorded in other words than it sent is found by the id of its call.
 */
export function lostTargets(all: readonly IContent[]): (list: readonly IContent[]) => (id: string) => boolean {
  const hashes = new Map<ContentBlock, string>();
  const known = new KnownIds(all, hashes);
  return (list) => {
    const listed = new KnownIds(list, hashes);
    return (id) => {
      if (listed.has(id)) return false;
      return known.has(id) || !(isMessageId(id) || listed.has(id.slice(0, id.lastIndexOf(' '))));
    };
  };
}
