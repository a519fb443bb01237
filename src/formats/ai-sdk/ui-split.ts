import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { JsonChange } from '../json/json-change.ts';
import { spliceJson, within } from '../json/json-splice.ts';
import type { MessageList, PlacedMessage } from '../messages/message-list.ts';
import { partsOf } from './ui-read.ts';

/** A message that is split in two before the part at index `part`. */
interface Cut {
  readonly message: number;
  readonly part: number;
}

/**
 * The splits of messages in which a new entry is between two steps: at most one per message, the last such position, so
 * that the next call finds the next one.
 */
export function cutsFor(placed: readonly PlacedMessage[], history: readonly IContent[]): Cut[] {
  const places = new Map(
    placed.flatMap((one) =>
      one.entries.map(({ entry, places: paths }) => [entry.metadata?.id, { one, part: Number(paths[0]?.[1]) }]),
    ),
  );
  const cuts = new Map<number, Cut>();
  let isBehindNew = false;
  let previous: PlacedMessage | undefined;
  for (const { speaker, metadata } of history) {
    const place = metadata?.id === undefined ? undefined : places.get(metadata.id);
    if (!place) {
      isBehindNew = true;
      continue;
    }
    const { one, part } = place;
    if (isBehindNew && previous === one && speaker === 'ai') cuts.set(one.index, { message: one.index, part });
    isBehindNew = false;
    previous = one;
  }
  return [...cuts.values()];
}

/** The document with these messages split; each second half is a message with a new id. */
export function cutMessages(bytes: Uint8Array, { path, messages }: MessageList, cuts: readonly Cut[]): Uint8Array {
  const changes = cuts.flatMap(({ message, part }): JsonChange[] => {
    const whole = messages[message];
    if (!isRecord(whole)) return [];
    const parts = partsOf(whole);
    const rest = { ...whole, id: `${String(whole['id'])}-${part}`, parts: parts.slice(part) };
    return [
      ...rest.parts.map((_, offset): JsonChange => ({ kind: 'remove', path: [message, 'parts', part + offset] })),
      { kind: 'insert', path: [message + 1], values: [rest] },
    ];
  });
  return spliceJson(bytes, within(path, changes));
}
