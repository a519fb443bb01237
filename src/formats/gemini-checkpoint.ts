import type { IContent } from '../content/content.ts';
import { gemini as vocabulary } from '../content/vocabularies/gemini.ts';
import { isRecord } from '../content/vocabulary.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from './contract.ts';
import { headDocument } from './detection.ts';
import { geminiContents as dialect, isContentList } from './gemini-content.ts';
import { noMessages, readDocument } from './json-document.ts';
import { jsonText } from './json-text.ts';
import { assertRestartable } from './lines.ts';
import { type Conversation, eventsOf, type PlacedMessage, placeMessages, writeMessages } from './message-list.ts';
import { sendable } from './sendable.ts';

const NAME = 'gemini-checkpoint';
const TITLE = 'a Gemini CLI checkpoint';

interface Opened {
  readonly bytes: Uint8Array;
  readonly conversation: Conversation;
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

/** Where the turns of a checkpoint stand: what the model was sent, not what the screen shows (`history` of a tool checkpoint). */
function conversationOf(value: unknown): Conversation | undefined {
  if (Array.isArray(value)) return { path: [], messages: value };
  if (!isRecord(value)) return undefined;
  const key = Array.isArray(value['clientHistory']) ? 'clientHistory' : 'history';
  return Array.isArray(value[key]) ? { path: [key], messages: value[key] } : undefined;
}

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const conversation = conversationOf(value);
  if (!conversation?.messages.some((turn) => isRecord(turn) && 'parts' in turn))
    throw noMessages(TITLE, `${bytes.length} bytes of JSON without any`);
  const skipped: SkippedLine[] = [];
  return {
    bytes,
    conversation,
    placed: placeMessages(conversation, { dialect, start: 0, prefix: '', skipped }),
    skipped,
  };
}

function read(lines: Iterable<Line>): Session {
  const { placed, skipped } = open(lines);
  return { format: NAME, events: eventsOf([placed]), skipped };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversation, placed } = open(lines);
  yield writeMessages(bytes, conversation, { placed, history, dialect });
}

function* create(history: readonly IContent[], _session: NewSession): Generator<Uint8Array> {
  const text = jsonText({ history: dialect.create(sendable(history)) }, 'the turns');
  yield new TextEncoder().encode(`${text}\n`);
}

function isCheckpoint(document: unknown): boolean {
  if (!isRecord(document)) return false;
  return isContentList(document['clientHistory']) || isContentList(document['history']);
}

/**
 * What `/chat save` of Gemini CLI and its forks keeps, `~/.gemini/tmp/<hash>/checkpoint-<tag>.json`: `{history, authType}`;
 * and the checkpoints before edits, `checkpoints/*.json`, whose `clientHistory` has the turns. The bare lists of turns that
 * older versions kept are those of the Gemini API.
 * Source: google-gemini/gemini-cli, packages/core/src/core/logger.ts and packages/core/src/utils/checkpointUtils.ts
 */
export const geminiCheckpoint: SessionFormat = {
  name: NAME,
  title: 'Gemini CLI checkpoint',
  vocabulary,
  detect: (head) => isCheckpoint(headDocument(head)),
  read,
  write,
  create,
};
