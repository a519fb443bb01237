import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { noMessages, readDocument } from '../json/json-file.ts';
import { jsonLine } from '../json/json-text.ts';
import { assertRestartable } from '../lines/lines.ts';
import {
  eventsOf,
  type Message,
  type MessageDialect,
  type MessageList,
  type PlacedMessage,
  placeMessages,
  writeMessages,
} from './message-list.ts';

/** A JSON document with one conversation: a list of messages, or an object with such a list under one of `keys`. */
interface DocumentShape {
  /** The name of the document in error messages. */
  readonly title: string;
  readonly keys: readonly string[];
  isMessage(element: unknown): boolean;
}

/** A document and its messages. */
interface FoundMessages {
  readonly bytes: Uint8Array;
  /** The object that contains the messages; empty if the document is only a list. */
  readonly around: Message;
  readonly conversation: MessageList;
}

/** A document and the entries of its messages. */
export interface MessageDocument extends FoundMessages {
  readonly dialect: MessageDialect;
  /** The conversations before the last one. */
  readonly earlier?: readonly (readonly PlacedMessage[])[];
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

/**
 * The messages of a document.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if there is none.
 */
export function findMessages(lines: Iterable<Line>, { title, keys, isMessage }: DocumentShape): FoundMessages {
  const { bytes, value } = readDocument(lines, title);
  const around = isRecord(value) ? value : {};
  const key = keys.find((name) => Array.isArray(around[name]));
  const messages = key === undefined ? value : around[key];
  if (!Array.isArray(messages) || !messages.some(isMessage)) throw noMessages(title, bytes);
  return { bytes, around, conversation: { path: key === undefined ? [] : [key], messages } };
}

/** The document with the entries of its messages, from message `start` on. */
export function placeAll(found: FoundMessages, dialect: MessageDialect, start = 0): MessageDocument {
  const skipped: SkippedLine[] = [];
  const placed = placeMessages(found.conversation, { dialect, start, prefix: '', skipped });
  return { ...found, dialect, placed, skipped };
}

/** The instructions at the start of the messages, which are not a part of the history. */
export function leading(messages: readonly unknown[], isInstruction: (message: Message) => boolean): Message[] {
  const end = messages.findIndex((message) => !isRecord(message) || !isInstruction(message));
  return messages.slice(0, end === -1 ? messages.length : end).filter(isRecord);
}

/** The `write` of a format of such documents; `open` reads one. */
export function writerOf(open: (lines: Iterable<Line>) => MessageDocument): NonNullable<SessionFormat['write']> {
  return function* write(lines, history) {
    assertRestartable(lines);
    const { bytes, conversation, placed, dialect } = open(lines);
    yield writeMessages(bytes, conversation, { placed, history, dialect });
  };
}

/** The `create` of a format whose files are one JSON document on one line. */
export function creatorOf(
  document: (history: readonly IContent[], session: NewSession) => unknown,
): NonNullable<SessionFormat['create']> {
  return function* create(history, session) {
    yield jsonLine(document(history, session), 'the messages');
  };
}

interface DocumentFormat extends Omit<SessionFormat, 'read' | 'write'> {
  open(lines: Iterable<Line>): MessageDocument;
  facts(document: MessageDocument): Pick<Session, 'id' | 'model' | 'workspaceRoot' | 'systemText'>;
}

/** A format whose files are such documents. */
export const documentFormat = ({ open, facts, ...format }: DocumentFormat): SessionFormat => ({
  ...format,
  read(lines) {
    const opened = open(lines);
    const { earlier = [], placed, skipped } = opened;
    return { format: format.name, ...facts(opened), events: eventsOf([...earlier, placed]), skipped };
  },
  write: writerOf(open),
});
