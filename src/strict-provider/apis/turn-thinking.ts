import type { Fields } from '../../content/foreign-value.ts';
import { madeOnce } from '../../content/group-by.ts';
import { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';

interface TurnMessage {
  readonly role: string;
  readonly blocks: readonly { readonly block: Fields; readonly place: string }[];
}

/**
 * A loop of tools is one turn, whose thinking comes back complete with the calls. That of earlier turns may be left out, also on models
 * that read it again. Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking, on tool use.
 */
export class TurnThinking {
  /** By the id of a call, which several conversations may use, the signatures of the thinking that its answers had. */
  readonly #signatures = new Map<string, Set<unknown>>();

  /** Remembers an answer that is given. */
  given(message: Fields): void {
    const content = message['content'] as readonly Fields[];
    const signature = content.find(({ type }) => type === 'thinking')?.['signature'];
    if (signature === undefined) return;
    for (const { type, id } of content) {
      if (type !== 'tool_use') continue;
      madeOnce(this.#signatures, String(id), () => new Set()).add(signature);
    }
  }

  /** @throws RuleBroken if thinking of the running turn is missing. */
  check(messages: readonly TurnMessage[]): void {
    const start = messages.findLastIndex(
      ({ role, blocks }) => role === 'user' && !blocks.some(({ block }) => block['type'] === 'tool_result'),
    );
    for (const { role, blocks } of messages.slice(start + 1)) {
      for (const { block } of role === 'assistant' ? blocks : []) {
        const known = block['type'] === 'tool_use' ? this.#signatures.get(String(block['id'])) : undefined;
        if (known && !blocks.some((one) => known.has(one.block['signature'])))
          throw new RuleBroken(
            `${blocks[0]!.place}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(blocks[0]!.block['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block`,
          );
      }
    }
  }
}
