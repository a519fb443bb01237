import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { sendable } from '../blocks/sendable.ts';
import type { Line, NewSession, Session, SessionFormat } from '../contract.ts';
import { headDocument } from '../detection.ts';
import { jsonText } from '../json/json-text.ts';
import { findMessages, type MessageDocument, placeAll, writerOf } from '../messages/message-document.ts';
import { eventsOf } from '../messages/message-list.ts';
import { geminiContents as dialect, isContentList } from './gemini-content.ts';

const NAME = 'gemini-checkpoint';
const TITLE = 'a Gemini CLI checkpoint';

/** The turns of a checkpoint that the model was sent, not those for the screen (`history` of a tool checkpoint). */
const open = (lines: Iterable<Line>): MessageDocument =>
  placeAll(
    findMessages(lines, {
      title: TITLE,
      keys: ['clientHistory', 'history'],
      isMessage: (turn) => isRecord(turn) && 'parts' in turn,
    }),
    dialect,
  );

function read(lines: Iterable<Line>): Session {
  const { placed, skipped } = open(lines);
  return { format: NAME, events: eventsOf([placed]), skipped };
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
 * Checkpoints of `/chat save` in Gemini CLI and its forks, `~/.gemini/tmp/<hash>/checkpoint-<tag>.json`:
 * `{history, authType}`; and the checkpoints before edits, `checkpoints/*.json`, with turns in `clientHistory`. Lists of
 * turns, from older versions, are read as Gemini API requests.
 * Source: google-gemini/gemini-cli, packages/core/src/core/logger.ts and packages/core/src/utils/checkpointUtils.ts
 */
export const geminiCheckpoint: SessionFormat = {
  name: NAME,
  title: 'Gemini CLI checkpoint',
  vocabulary,
  detect: (head) => isCheckpoint(headDocument(head)),
  read,
  write: writerOf(open, dialect),
  create,
};
