import { append } from '../../content/append.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { contentsOf, type Message, type PlacedMessage } from '../messages/message-list.ts';

/** The id of a summary or a truncation, which the messages that it replaces refer to. */
function hiderIdOf(message: Message): string | undefined {
  const { isSummary, condenseId, isTruncationMarker, truncationId } = message;
  const id = isSummary === true ? condenseId : isTruncationMarker === true ? truncationId : undefined;
  return typeof id === 'string' ? id : undefined;
}

const isHiddenBy = ({ condenseParent, truncationParent }: Message, id: string): boolean =>
  condenseParent === id || truncationParent === id;

/** The ids of all existing summaries and truncations. A message that refers to another id is visible again. */
export function hiderIds(messages: readonly unknown[]): string[] {
  return messages.filter(isRecord).flatMap((message) => hiderIdOf(message) ?? []);
}

/** The messages that are sent: those that no summary or truncation replaces. */
export function visible(placed: readonly PlacedMessage[], messages: readonly unknown[]): PlacedMessage[] {
  const ids = hiderIds(messages);
  return placed.filter(({ message }) => !ids.some((id) => isHiddenBy(message, id)));
}

/** The events of a session: each summary or truncation removes the messages that it replaces. */
export function eventsOf(placed: readonly PlacedMessage[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  const seen: string[] = [];
  let live: PlacedMessage[] = [];
  for (const one of placed) {
    if (seen.some((id) => isHiddenBy(one.message, id))) continue;
    const id = hiderIdOf(one.message);
    const before = live.length;
    if (id !== undefined) {
      seen.push(id);
      live = live.filter(({ message }) => !isHiddenBy(message, id));
    }
    const isSmaller = live.length < before;
    live.push(one);
    if (isSmaller)
      events.push({
        kind: 'replace',
        contents: contentsOf(live),
        by: { kind: 'compaction' },
      });
    else
      append(
        events,
        one.entries.map(({ entry }): SessionEvent => ({ kind: 'add', content: entry })),
      );
  }
  return events;
}
