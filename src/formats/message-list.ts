import type { ContentBlock, ContentMetadata, IContent, Speaker } from '../content/content.ts';
import { isRecord } from '../content/vocabulary.ts';
import type { SessionEvent, SkippedLine } from './contract.ts';
import { type BlockEdit, compareHistories } from './edits.ts';
import { type Insertion, insertElements } from './json-insert.ts';
import { type JsonChange, type JsonPath, spliceJson } from './json-splice.ts';

export type Message = Readonly<Record<string, unknown>>;

/** A part of a message that is one entry. `places` has the path of each block inside the message. */
export interface MessagePart {
  readonly speaker: Speaker;
  readonly blocks: readonly ContentBlock[];
  readonly places: readonly JsonPath[];
  readonly metadata?: ContentMetadata;
}

/** A block as it was read, where it stands in its message, and what became of it. */
export interface PlacedEdit {
  readonly block: ContentBlock;
  readonly path: JsonPath;
  readonly edit: BlockEdit;
}

/** A list of messages inside a JSON document. */
export interface Conversation {
  readonly path: JsonPath;
  readonly messages: readonly unknown[];
}

/** A message that is in the history, and its entries. */
export interface PlacedMessage {
  readonly index: number;
  readonly message: Message;
  readonly entries: readonly { readonly entry: IContent; readonly places: readonly JsonPath[] }[];
}

/** The messages that new ones stand between; absent at the ends. */
export interface Neighbours {
  readonly previous?: unknown;
  readonly next?: unknown;
}

/** How one API writes messages down. */
export interface MessageDialect {
  /** The entries of a message, in order; none when it says nothing. A reader is made anew for each conversation. */
  reader(): (message: Message) => readonly MessagePart[];
  /** How a message changes when its blocks are edited so. */
  changes(message: Message, edits: readonly PlacedEdit[]): 'remove' | readonly JsonChange[];
  /** New messages for entries that were not read, between these two of the conversation. */
  create(entries: readonly IContent[], between?: Neighbours): readonly unknown[];
}

/**
 * The entries of the parts of a message. Each keeps the id that its part brings, where no other has it; else its id is
 * its place: `place`, then `place.1` for the second entry. `taken` has the ids of the whole session.
 */
export function entriesAt(parts: readonly MessagePart[], place: string, taken: Set<string>): PlacedMessage['entries'] {
  return parts.map(({ speaker, blocks, places, metadata }, order) => {
    const own = metadata?.id;
    let id = own !== undefined && !taken.has(own) ? own : `${place}${order === 0 ? '' : `.${order}`}`;
    while (taken.has(id)) id += "'";
    taken.add(id);
    return { entry: { speaker, blocks, metadata: { ...metadata, id } }, places };
  });
}

/** Reads the messages of one conversation from `start` on. Ids are those of the parts, else places: `message-3`. */
export function placeMessages(
  { messages }: Conversation,
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

const entriesOf = (placed: readonly PlacedMessage[]): IContent[] =>
  placed.flatMap(({ entries }) => entries.map(({ entry }) => entry));

/** What happened: the entries one by one; each further conversation starts with nothing. */
export function eventsOf(conversations: readonly (readonly PlacedMessage[])[]): SessionEvent[] {
  return conversations.flatMap((placed, index) => {
    const added = entriesOf(placed).map((content): SessionEvent => ({ kind: 'add', content }));
    return index === 0 ? added : [{ kind: 'replace', contents: [] }, ...added];
  });
}

/** What becomes of each block of a message. */
export function editsOf(
  { entries }: Pick<PlacedMessage, 'entries'>,
  edits: ReturnType<typeof compareHistories>['entries'],
): PlacedEdit[] {
  return entries.flatMap(({ entry, places }) => {
    const edit = edits.get(entry.metadata?.id ?? '') ?? { kind: 'keep' };
    return entry.blocks.map((block, index) => ({
      block,
      path: places[index] as JsonPath,
      edit: edit.kind === 'change' ? (edit.blocks[index] as BlockEdit) : edit,
    }));
  });
}

/** A conversation and what it is to say. */
interface ListEdit {
  readonly placed: readonly PlacedMessage[];
  readonly history: readonly IContent[];
  readonly dialect: MessageDialect;
}

/** What becomes of a list of messages: changes inside of them, those that go, and entries by the message they come before. */
interface ListPlan {
  readonly changes: readonly JsonChange[];
  readonly removed: readonly number[];
  readonly added: ReadonlyMap<number, readonly IContent[]>;
}

function planMessages({ messages }: Conversation, { placed, history, dialect }: ListEdit): ListPlan {
  const { entries, added } = compareHistories(entriesOf(placed), history);
  const changes: JsonChange[] = [];
  const removed: number[] = [];
  for (const one of placed) {
    const edits = editsOf(one, entries);
    if (edits.every(({ edit }) => edit.kind === 'keep')) continue;
    const change = dialect.changes(one.message, edits);
    if (change === 'remove') removed.push(one.index);
    else changes.push(...change.map((inner) => ({ ...inner, path: [one.index, ...inner.path] })));
  }
  for (const index of removed) changes.push({ kind: 'remove', path: [index] });
  const before = new Map<number, IContent[]>();
  const places = new Map(
    placed.flatMap(({ index, entries: own }) => own.map(({ entry }) => [entry.metadata?.id, index])),
  );
  for (const { content, afterId } of added) {
    const place = afterId === undefined ? undefined : places.get(afterId);
    const at = place === undefined ? (placed[0]?.index ?? messages.length) : place + 1;
    before.set(at, [...(before.get(at) ?? []), content]);
  }
  return { changes, removed, added: before };
}

/** The new messages of a plan: what they come before, and what is made of their entries. */
const newMessages = ({ added }: ListPlan, { messages }: Conversation, dialect: MessageDialect): Insertion[] =>
  [...added].map(([at, contents]) => ({
    at,
    values: dialect.create(contents, { previous: messages[at - 1], next: messages[at] }),
  }));

/**
 * Where the messages of a conversation stand after `writeMessages`: for an index the one of the same message or, where it
 * went, of the last that is left before it; -1 where none is.
 */
export function indicesAfter(conversation: Conversation, edit: ListEdit): (index: number) => number {
  const plan = planMessages(conversation, edit);
  const inserted = newMessages(plan, conversation, edit.dialect);
  return (index) => {
    const gone = plan.removed.filter((place) => place <= index).length;
    const more = inserted.reduce((count, { at, values }) => (at <= index ? count + values.length : count), 0);
    return index - gone + more;
  };
}

/**
 * The document with one conversation changed to `history`: a message goes when all of its blocks go, others change in
 * place, every other byte stays. New entries stand behind the message of the entry before them.
 */
export function writeMessages(bytes: Uint8Array, conversation: Conversation, edit: ListEdit): Uint8Array {
  const { path } = conversation;
  const plan = planMessages(conversation, edit);
  const changes = plan.changes.map((change) => ({ ...change, path: [...path, ...change.path] }));
  const insertions = newMessages(plan, conversation, edit.dialect).map(({ at, values }) => ({
    at: at - plan.removed.filter((index) => index < at).length,
    values,
  }));
  return insertElements(spliceJson(bytes, changes), path, insertions);
}
