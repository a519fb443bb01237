import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import type { Message, PlacedMessage } from '../messages/message-list.ts';

/** The mark that a summary or a truncation carries, by which the messages it stands for name it. */
function symbolOf(message: Message): string | undefined {
  const { isSummary, condenseId, isTruncationMarker, truncationId } = message;
  const mark = isSummary === true ? condenseId : isTruncationMarker === true ? truncationId : undefined;
  return typeof mark === 'string' ? mark : undefined;
}

const isHiddenBy = ({ condenseParent, truncationParent }: Message, mark: string): boolean =>
  condenseParent === mark || truncationParent === mark;

/** Marks of all summaries and truncations that are there: what names another one is shown again. */
export function marksOf(messages: readonly unknown[]): string[] {
  return messages.filter(isRecord).flatMap((message) => symbolOf(message) ?? []);
}

/** Messages that are sent: none that a summary or a truncation stands for. */
export function visible(placed: readonly PlacedMessage[], messages: readonly unknown[]): PlacedMessage[] {
  const marks = marksOf(messages);
  return placed.filter(({ message }) => !marks.some((mark) => isHiddenBy(message, mark)));
}

/** What happened, message by message: at each mark what it stands for goes, and what comes behind its mark is not there. */
export function eventsOf(placed: readonly PlacedMessage[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  const seen: string[] = [];
  let live: PlacedMessage[] = [];
  for (const one of placed) {
    if (seen.some((mark) => isHiddenBy(one.message, mark))) continue;
    const mark = symbolOf(one.message);
    const before = live.length;
    if (mark !== undefined) {
      seen.push(mark);
      live = live.filter(({ message }) => !isHiddenBy(message, mark));
    }
    const isSmaller = live.length < before;
    live.push(one);
    if (isSmaller)
      events.push({ kind: 'replace', contents: live.flatMap(({ entries }) => entries.map(({ entry }) => entry)) });
    else events.push(...one.entries.map(({ entry }): SessionEvent => ({ kind: 'add', content: entry })));
  }
  return events;
}
