import type { ContentBlock } from '../../content/content.ts';
import { NAME_CHARACTERS } from '../../disk/archive/archive-room.ts';
import type { ArchivedBlock, BlockArchive } from '../../disk/block-archive.ts';
import { hashOf } from '../../live/conversation/hash-of.ts';
import { isUniqueCallId } from '../prompts/request-text.ts';
import { type NamingConversation, namingConversations } from './naming-conversations.ts';

const READ_AT_ONCE = 200;

/** What some conversations name. */
class Named {
  readonly #names = new Set<string>();
  readonly #results = new Set<string>();
  readonly callIds = new Set<string>();

  add({ names, results }: NamingConversation): void {
    for (const name of names) this.#names.add(name);
    for (const result of results) {
      const callId = result.slice(0, result.lastIndexOf(' '));
      this.#results.add(result);
      this.callIds.add(callId);
    }
  }

  has(hash: string, block: ContentBlock): boolean {
    if (this.#names.has(hash.slice(0, NAME_CHARACTERS))) return true;
    if (block.type !== 'tool_response') return false;
    const { callId, result } = block;
    if (isUniqueCallId(callId) && this.callIds.has(callId)) return true;
    return typeof result === 'string' && this.#results.has(`${callId} ${hashOf(result)}`);
  }
}

/**
 * The archived results that the conversations of a session name and no other one does, with their calls, whose ids no result that
 * stays has; `undefined` if no conversation of it ran here. `session`: its `sessionHash`. Cost: every block of the archive is read.
 * @throws the system's error.
 */
export async function sessionBlocks(
  archive: BlockArchive,
  session: string,
): Promise<readonly ArchivedBlock[] | undefined> {
  const own = new Named();
  const others = new Named();
  let isKnown = false;
  for await (const conversation of namingConversations()) {
    const isOwn = conversation.session === session;
    isKnown ||= isOwn;
    (isOwn ? own : others).add(conversation);
  }
  if (!isKnown) return undefined;
  const found: ArchivedBlock[] = [];
  const calls: (readonly [id: string, call: ArchivedBlock])[] = [];
  /** The calls of results that stay. */
  const answered = new Set(others.callIds);
  const blocks = await archive.list();
  for (let at = 0; at < blocks.length; at += READ_AT_ONCE) {
    for (const { block, ...archived } of await archive.contents(blocks.slice(at, at + READ_AT_ONCE))) {
      if (block.type === 'tool_call') calls.push([block.id, archived]);
      else if (own.has(archived.hash, block) && !others.has(archived.hash, block)) {
        found.push(archived);
        if (block.type === 'tool_response') own.callIds.add(block.callId);
      } else if (block.type === 'tool_response') answered.add(block.callId);
    }
  }
  const ownCalls = calls.filter(([id]) => own.callIds.has(id) && !answered.has(id));
  return [...found, ...ownCalls.map(([, call]) => call)];
}
