import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { editsOf, type Message, type MessageDialect, type PlacedMessage } from '../messages/message-list.ts';
import { compareHistories } from './edits.ts';
import { LineEdits, type LinePlace } from './line-edits.ts';

/** A live message of a JSONL file, and its entries. */
export interface LineMessage {
  readonly message: Message;
  readonly entries: PlacedMessage['entries'];
  /** Every place it is written at, in order: the last one counts, and the others would if that one went. */
  readonly places: readonly [LinePlace, ...LinePlace[]];
}

/**
 * What becomes of the lines of a file when its live messages are to say `history`. A line goes when its message does,
 * but of a message in a list only the element. New entries stand behind the message of the entry before them; those
 * that come first stand before the first message, or behind the first line where there is none.
 */
export function planLines(
  live: readonly LineMessage[],
  history: readonly IContent[],
  { changes }: Pick<MessageDialect, 'changes'>,
): LineEdits<IContent> {
  const { entries, added } = compareHistories(
    live.flatMap((one) => one.entries.map(({ entry }) => entry)),
    history,
  );
  const edits = new LineEdits<IContent>();
  for (const one of live) {
    const own = editsOf(one, entries);
    if (own.every(({ edit }) => edit.kind === 'keep')) continue;
    const change = changes(one.message, own);
    for (const place of change === 'remove' ? one.places : one.places.slice(-1)) edits.change(place, change);
  }
  const messages = new Map(live.flatMap((one) => one.entries.map(({ entry }) => [entry.metadata?.id, one])));
  for (const { content, afterId } of added) {
    const before = afterId === undefined ? undefined : messages.get(afterId);
    // Where a message first stands is its place in the order.
    if (before) edits.add([content], before.places[0], 'behind');
    else if (live[0]) edits.add([content], live[0].places[0], 'before');
    else edits.at(1).behind.push(content);
  }
  return edits;
}

/**
 * For agents that send the summary of a compaction before messages that stand in front of it: what is to come behind
 * the summary, the first of `live`, goes to the first of those.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when something new is to come before a summary that stays.
 */
export function moveBehindSummary(
  edits: LineEdits<IContent>,
  [summary, second]: readonly LineMessage[],
  history: readonly IContent[],
): void {
  const line = summary?.places[0].line ?? 0;
  const edit = edits.find(line);
  if (!summary || !edit) return;
  const isKept = history.some(({ metadata }) =>
    summary.entries.some(({ entry }) => entry.metadata?.id === metadata?.id),
  );
  if (edit.before.length > 0 && isKept)
    throw new CompressionStrategyError(
      `Expected the summary of the compaction in line ${line} to come first or to go, got new entries in front of it. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  const isSecondInFront = second !== undefined && second.places[0].line < line;
  const moved = [...edit.before.splice(0), ...(isSecondInFront ? edit.behind.splice(0) : [])];
  if (isSecondInFront) edits.at(second.places[0].line).before.unshift(...moved);
  else edit.behind.unshift(...moved);
}
