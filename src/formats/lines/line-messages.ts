import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import { CompressionStrategyError } from '../../errors.ts';
import {
  contentsOf,
  editsOf,
  type Message,
  type MessageDialect,
  type PlacedMessage,
} from '../messages/message-list.ts';
import { compareHistories } from './edits.ts';
import { LineEdits, type LinePlace } from './line-edits.ts';

/** A live message of a JSONL file with its entries. */
export interface LineMessage {
  readonly message: Message;
  /** An entry that the file contains twice is in two messages, with its places in each. */
  readonly entries: PlacedMessage['entries'];
  /** All positions at which it is written, in order. The last one counts; without it, the one before would count. */
  readonly places: readonly [LinePlace, ...LinePlace[]];
}

/**
 * The edits of the lines of a file after which its live messages are `history`. A removed message removes its line, or its
 * element if it is in a list. New entries are written after the last message of the previous entry; without one, before the
 * first message, or after the first line if there is no message.
 */
export function planLines(
  live: readonly LineMessage[],
  history: readonly IContent[],
  { changes }: Pick<MessageDialect, 'changes'>,
): LineEdits<IContent> {
  const { entries, added } = compareHistories([...new Set(contentsOf(live))], history);
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
    // The first position of a message decides the order.
    if (before) edits.add([content], before.places[0], 'behind');
    else if (live[0]) edits.add([content], live[0].places[0], 'before');
    else edits.at(1).behind.push(content);
  }
  return edits;
}

/**
 * For agents that send the summary of a compaction before messages that precede it in the file: entries to be added
 * after the summary, the first of `live`, are added before the first of those messages.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if new entries precede a summary that is kept.
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
      `Expected the summary of the compaction in line ${line} to be first or to be removed, got new entries before it. The file is not written.`,
      'SESSION_NOT_WRITABLE',
    );
  const isSecondInFront = second !== undefined && second.places[0].line < line;
  const to = isSecondInFront ? edits.at(second.places[0].line).before : edit.behind;
  const moved = [...edit.before.splice(0), ...(isSecondInFront ? edit.behind.splice(0) : []), ...to.splice(0)];
  append(to, moved);
}
