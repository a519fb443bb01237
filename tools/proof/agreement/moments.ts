import type { IContent } from '../../../src/content/content.ts';
import { newMessages } from '../../../src/formats/anthropic/anthropic-messages.ts';
import { sendable } from '../../../src/formats/blocks/sendable.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { type ContextMove, entriesAfter } from '../../../src/replay/context-move.ts';
import { asAgentSends } from '../live/as-agent-sends.ts';
import { nativeMessages } from '../live/recorded-calls.ts';

/** The messages of one recorded call: as the agent sent them, and as a replay leaves them. */
export interface Moment {
  readonly recorded: readonly unknown[];
  readonly replayed: readonly unknown[];
  readonly atMs: number;
  /** What the provider said of the answer, where that is recorded. */
  readonly answerTokens: number | undefined;
}

/** The calls of a session whose context changed by `moves`. */
export function moments({ events }: Session, moves: readonly ContextMove[]): Moment[] {
  const found: Moment[] = [];
  const native = nativeMessages(newMessages);
  let recorded: IContent[] = [];
  let replayed: IContent[] = [];
  let next = 0;
  let nowMs = 0;
  for (const [at, event] of events.entries()) {
    for (let move = moves[next]; move?.event === at; move = moves[++next]) replayed = entriesAfter(replayed, move);
    if (event.kind === 'replace') {
      recorded = [...event.contents];
      continue;
    }
    const { content } = event;
    if (content.speaker === 'ai' && recorded.some(({ speaker }) => speaker === 'human'))
      found.push({
        recorded: native(before(recorded, content)),
        replayed: native(before(replayed, content)),
        atMs: nowMs,
        answerTokens: content.metadata?.usage?.completionTokens,
      });
    recorded.push(content);
    replayed.push(content);
    nowMs = Math.max(nowMs, content.metadata?.timestamp ?? 0);
  }
  return found;
}

/** What can be sent before an answer. */
function before(entries: readonly IContent[], answer: IContent): readonly IContent[] {
  const sent = sendable([...entries, answer]);
  const at = sent.findLastIndex(({ metadata }) => metadata?.id === answer.metadata?.id);
  return (at === -1 ? sent : sent.slice(0, at)).map(asAgentSends);
}
