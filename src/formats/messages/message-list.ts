import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { withId } from '../blocks/entry-metadata.ts';
import type { SkippedLine } from '../contract.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { spliceJson, within } from '../json/json-splice.ts';
import { compareHistories, type HistoryEdits } from '../lines/edits.ts';
import type { MessagePart, PlacedEdit } from './message-part.ts';

export type Message = Readonly<Record<string, unknown>>;

/** A list of messages inside a JSON document. */
export interface MessageList {
  readonly path: JsonPath;
  readonly messages: readonly unknown[];
}

/** A message of the history and its entries. */
export interface PlacedMessage {
  readonly index: number;
  readonly message: Message;
  readonly entries: readonly { readonly entry: IContent; readonly places: readonly JsonPath[] }[];
}

/** The messages before and after new ones; absent at the ends. */
export interface Neighbours {
  readonly previous?: unknown;
  readonly next?: unknown;
}

/** Reads and writes the messages of one API. */
export interface MessageDialect {
  /** A reader for one conversation: it returns the entries of a message, in order; none for an empty one. */
  reader(): (message: Message) => readonly MessagePart[];
  /** The changes of a message for these edits of its blocks. */
  changes(message: Message, edits: readonly PlacedEdit[]): 'remove' | readonly JsonChange[];
  /** New messages for new entries, between these two of the conversation. */
  create(entries: readonly IContent[], between?: Neighbours): readonly unknown[];
}

/**
 * The entries of the parts of a message. An entry gets the id of its part if it is unique, otherwise an id from its
 * position: `place`, then `place.1` for the second entry. `taken` contains the ids of the whole session.
 */
export function entriesAt(parts: readonly MessagePart[], place: string, taken: Set<string>): PlacedMessage['entries'] {
  return parts.map(({ speaker, blocks, places, metadata }, order) => {
    const own = metadata?.id;
    let id = own !== undefined && !taken.has(own) ? own : `${place}${order === 0 ? '' : `.${order}`}`;
    while (taken.has(id)) id += "'";
    taken.add(id);
    return { entry: { speaker, blocks, metadata: withId(metadata, id) }, places };
  });
}

/** The entries of one conversation from message `start` on. Ids are those of the parts, or positions: `message-3`. */
export function placeMessages(
  { messages }: MessageList,
  {
    dialect,
    start,
    prefix,
    skipped,
  }: { dialect: MessageDialect; start: number; prefix: string; skipped?: SkippedLine[] },
): PlacedMessage[] {
  const read = dialect.reader();
  const taken = new Set<string>();
  return messages.flatMap((message, index) => {
    if (index < start) return [];
    if (!isRecord(message)) {
      skipped?.push({ line: 1, reason: `expected an object in message ${index}` });
      return [];
    }
    const entries = entriesAt(read(message), `${prefix}message-${index}`, taken);
    return entries.length === 0 ? [] : [{ index, message, entries }];
  });
}

/** The entries of these messages. */
export const contentsOf = (placed: readonly Pick<PlacedMessage, 'entries'>[]): IContent[] =>
  placed.flatMap(({ entries }) => entries.map(({ entry }) => entry));

/** The last model in the entries of these messages. */
export function lastModel(messages: readonly Pick<PlacedMessage, 'entries'>[]): string | undefined {
  const isNamed = ({ entry }: PlacedMessage['entries'][number]): boolean => entry.metadata?.model !== undefined;
  const last = messages.findLast(({ entries }) => entries.some(isNamed));
  return last?.entries.findLast(isNamed)?.entry.metadata?.model;
}

/** The events of a session: one per entry; each further conversation starts with an empty history. */
export function eventsOf(conversations: readonly (readonly PlacedMessage[])[]): SessionEvent[] {
  return conversations.flatMap((placed, index) => {
    const added = contentsOf(placed).map((content): SessionEvent => ({ kind: 'add', content }));
    return index === 0 ? added : [{ kind: 'replace', contents: [] }, ...added];
  });
}

/** The edits of the blocks of a message. */
export function editsOf({ entries }: Pick<PlacedMessage, 'entries'>, edits: HistoryEdits['entries']): PlacedEdit[] {
  return entries.flatMap(({ entry, places }) => {
    const own = edits.get(entry.metadata?.id ?? '')!;
    return entry.blocks.map((block, index) => ({ block, path: places[index]!, edit: own[index]! }));
  });
}

/** The new history of a conversation. */
interface ListEdit {
  readonly placed: readonly PlacedMessage[];
  readonly history: readonly IContent[];
  readonly dialect: MessageDialect;
}

/** The changes of a list of messages. */
function listChanges({ messages }: MessageList, { placed, history, dialect }: ListEdit): JsonChange[] {
  const { entries, added } = compareHistories(contentsOf(placed), history);
  const changes = placed.flatMap((one): JsonChange[] => {
    const edits = editsOf(one, entries);
    if (edits.every(({ edit }) => edit.kind === 'keep')) return [];
    const change = dialect.changes(one.message, edits);
    return change === 'remove' ? [{ kind: 'remove', path: [one.index] }] : within([one.index], change);
  });
  const before = new Map<number, IContent[]>();
  const places = new Map(
    placed.flatMap(({ index, entries: own }) => own.map(({ entry }) => [entry.metadata?.id, index])),
  );
  for (const { content, afterId } of added) {
    const place = afterId === undefined ? undefined : places.get(afterId);
    const at = place === undefined ? (placed[0]?.index ?? messages.length) : place + 1;
    addTo(before, at, content);
  }
  for (const [at, contents] of before) {
    const values = dialect.create(contents, { previous: messages[at - 1], next: messages[at] });
    changes.push({ kind: 'insert', path: [at], values });
  }
  return changes;
}

/**
 * Maps the index of a message before `writeMessages` to its index afterwards; for a removed message, the index of the last
 * kept message before it, or -1.
 */
export function indicesAfter(conversation: MessageList, edit: ListEdit): (index: number) => number {
  const changes = listChanges(conversation, edit).filter(({ path }) => path.length === 1);
  return (index) =>
    changes.reduce((place, change) => {
      if (Number(change.path[0]) > index) return place;
      return change.kind === 'insert' ? place + change.values.length : place - 1;
    }, index);
}

/**
 * The document with one conversation changed to `history`. A message is removed with its last block; others change in
 * place, and every other byte is kept. New entries are written after the message of the previous entry.
 */
export function writeMessages(bytes: Uint8Array, conversation: MessageList, edit: ListEdit): Uint8Array {
  return spliceJson(bytes, within(conversation.path, listChanges(conversation, edit)));
}
