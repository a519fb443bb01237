import { isRecord } from '../../content/foreign-value.ts';
import type { Line, SkippedLine } from '../contract.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import type { Message } from '../messages/message-list.ts';

/** A line of a session; each but the first names the one before it. */
export type QwenRecord = Message & { readonly uuid: string };

/** The types of records that a session consists of. Source: Qwen Code 0.24.4, `isTranscriptConversationRecord`. */
const TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system']);

export const isQwenRecord = (value: unknown): value is QwenRecord =>
  isRecord(value) &&
  typeof value['uuid'] === 'string' &&
  typeof value['sessionId'] === 'string' &&
  TYPES.has(value['type']) &&
  (Array.isArray(isRecord(value['message']) ? value['message']['parts'] : undefined) ||
    (value['type'] === 'system' && 'systemPayload' in value));

/** A record with the number of its line. */
interface PlacedRecord {
  readonly record: QwenRecord;
  readonly line: number;
}

/**
 * The records from the first to the last one, as they name each other: what a rewind left is not among them.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if there is none.
 */
export function recordsOf(lines: Iterable<Line>): { placed: readonly PlacedRecord[]; skipped: readonly SkippedLine[] } {
  const all: PlacedRecord[] = [];
  const rows = new ObjectLines(lines);
  const parents = new Map<unknown, { readonly parent: unknown; readonly before: unknown }>();
  let before: unknown;
  for (const { line, value } of rows) {
    if (isQwenRecord(value)) all.push({ record: value, line });
    const { uuid, parentUuid: parent } = value;
    if (typeof uuid !== 'string' || parents.has(uuid)) continue;
    parents.set(uuid, { parent, before });
    before = uuid;
  }
  if (all.length === 0) throw noUsableLine('a session of Qwen Code with a record', rows);
  const isLive = new Set<unknown>();
  let uuid: unknown = all.at(-1)?.record.uuid;
  while (typeof uuid === 'string' && !isLive.has(uuid)) {
    isLive.add(uuid);
    const { parent, before } = parents.get(uuid) ?? {};
    // A parent that is not in the file was lost: the record before replaces it.
    uuid = typeof parent === 'string' && !parents.has(parent) ? before : parent;
  }
  return { placed: all.filter(({ record }) => isLive.has(record.uuid)), skipped: rows.skipped };
}
