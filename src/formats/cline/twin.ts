import { isRecord } from '../../content/foreign-value.ts';
import type { JsonChange } from '../json/json-change.ts';
import { spliceJson } from '../json/json-splice.ts';
import { decode, parseJson } from '../lines/lines.ts';

const INDEX = 'conversationHistoryIndex';
const RANGE = 'conversationHistoryDeletedRange';

function indexChanges(index: unknown, place: number, indexAfter: (index: number) => number): JsonChange[] {
  if (typeof index !== 'number' || indexAfter(index) === index) return [];
  return [{ kind: 'set', path: [place, INDEX], value: indexAfter(index) }];
}

/** The changes of a range of messages that Cline does not send; a range without messages is removed. */
function rangeChanges(range: unknown, place: number, indexAfter: (index: number) => number): JsonChange[] {
  const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  const path = [place, RANGE];
  const from = indexAfter(first - 1) + 1;
  const to = indexAfter(last);
  if (from === first && to === last) return [];
  return [to < from ? { kind: 'remove', path } : { kind: 'set', path, value: [from, to] }];
}

/** Maps back an index in `indicesAfter`; for that of a new message, the last index before it, or -1. */
export const originOf =
  (indicesAfter: readonly number[]) =>
  (index: number): number => {
    const origin = indicesAfter.indexOf(index);
    return origin === -1 ? indicesAfter.findLastIndex((after) => after < index) : origin;
  };

/**
 * `ui_messages.json` for a changed conversation: Cline refers to messages by index, and the indices are updated; Roo Code
 * and Kilo Code refer to them by time, which does not change. All else is kept, also a file that is not a list. Written
 * from the published type of these messages, without a recording.
 * Source: cline/cline, src/shared/ExtensionMessage.ts; RooCodeInc/Roo-Code, src/core/message-manager.
 */
export function twinAfter(bytes: Uint8Array, indexAfter: (index: number) => number): Uint8Array {
  const parsed = parseJson(decode(bytes));
  if (parsed.kind !== 'json' || !Array.isArray(parsed.value)) return bytes;
  const messages: readonly unknown[] = parsed.value;
  const changes = messages.flatMap((message, place) =>
    isRecord(message)
      ? [...indexChanges(message[INDEX], place, indexAfter), ...rangeChanges(message[RANGE], place, indexAfter)]
      : [],
  );
  return spliceJson(bytes, changes);
}
