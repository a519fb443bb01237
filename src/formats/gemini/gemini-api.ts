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

const NAME = 'gemini-api';
const TITLE = 'a Gemini API request';

const open = (lines: Iterable<Line>): MessageDocument =>
  placeAll(
    findMessages(lines, { title: TITLE, keys: ['contents'], isMessage: (turn) => isRecord(turn) && 'parts' in turn }),
    dialect,
  );

/** The system instruction, a text or a turn, and the tool definitions of a request, under both names of each field. */
function systemOf(around: MessageDocument['around']): string {
  const instruction = around['systemInstruction'] ?? around['system_instruction'];
  const parts = isRecord(instruction) ? instruction['parts'] : instruction;
  const texts = (Array.isArray(parts) ? parts : [parts]).map((part: unknown) => (isRecord(part) ? part['text'] : part));
  const { tools } = around;
  const definitions = Array.isArray(tools) && tools.length > 0 ? [JSON.stringify(tools)] : [];
  return [...texts.filter((text) => typeof text === 'string'), ...definitions].join('\n');
}

function read(lines: Iterable<Line>): Session {
  const { around, placed, skipped } = open(lines);
  const systemText = systemOf(around);
  return {
    format: NAME,
    ...(typeof around['model'] === 'string' && { model: around['model'] }),
    ...(systemText !== '' && { systemText }),
    events: eventsOf([placed]),
    skipped,
  };
}

function* create(history: readonly IContent[], { model }: NewSession): Generator<Uint8Array> {
  const contents = dialect.create(sendable(history));
  const text = jsonText({ ...(model !== undefined && { model }), contents }, 'the turns');
  yield new TextEncoder().encode(`${text}\n`);
}

function isRequest(document: unknown): boolean {
  return isContentList(isRecord(document) ? document['contents'] : document);
}

/**
 * Request bodies of the Gemini API, `{contents, systemInstruction, tools}`, or a `Content[]`, such as older checkpoints of
 * Gemini CLI. Each turn is one entry, and each function response is one entry.
 * Source: https://ai.google.dev/api/generate-content
 */
export const geminiApi: SessionFormat = {
  name: NAME,
  title: 'Gemini API request',
  vocabulary,
  detect: (head) => isRequest(headDocument(head)),
  read,
  write: writerOf(open, dialect),
  create,
};
