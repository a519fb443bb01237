import { createHash } from 'node:crypto';
import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { cline as vocabulary } from '../../content/vocabularies/cline.ts';
import { sendable } from '../blocks/sendable.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import { jsonText } from '../json/json-text.ts';
import { assertRestartable } from '../lines/lines.ts';
import { creatorOf, findMessages, type MessageDocument, placeAll } from '../messages/message-document.ts';
import { indicesAfter, lastModel, type MessageDialect, writeMessages } from '../messages/message-list.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import { readConversation } from './conversation.ts';
import { clineDialect, type NewMessages } from './dialect.ts';
import { eventsOf, hiderIds, visible } from './hidden.ts';
import { USAGE_REPORTS } from './message-metadata.ts';
import { environmentOf, isClineConversation } from './task.ts';
import { originOf, twinAfter } from './twin.ts';

const NAME = 'cline';
const TITLE = 'a conversation of Cline, Roo Code or Kilo Code';

interface Opened extends MessageDocument {
  /** The dialect of this file, with the facts for new messages. */
  dialectFor(created: NewMessages): MessageDialect;
}

function open(lines: Iterable<Line>): Opened {
  const isMessage = (one: unknown): boolean => isRecord(one) && 'role' in one;
  const found = findMessages(lines, { title: TITLE, keys: ['messages'], isMessage });
  const readings = readConversation(found.conversation.messages);
  const dialectFor = (created: NewMessages): MessageDialect => clineDialect(readings, created);
  return { ...placeAll(found, dialectFor({ startedAt: 0 })), dialectFor };
}

function read(lines: Iterable<Line>): Session {
  const { around, conversation, placed, skipped } = open(lines);
  const { sessionId, system_prompt: systemText } = around;
  const model = lastModel(placed);
  return {
    format: NAME,
    ...(typeof sessionId === 'string' && { id: sessionId }),
    ...environmentOf(conversation.messages),
    ...(model !== undefined && { model }),
    ...(typeof systemText === 'string' && systemText !== '' && { systemText }),
    events: eventsOf(placed),
    skipped,
  };
}

/** True if the agent of a file supports hidden messages: Roo Code and Kilo Code do, Cline and its SDK do not. */
function canHide({ conversation: { path, messages } }: Opened): boolean {
  const records = messages.filter(isRecord);
  const isTimed = records.some(({ ts }) => typeof ts === 'number');
  return path.length === 0 && isTimed && !records.some((one) => 'modelInfo' in one || 'metrics' in one || 'id' in one);
}

/** The id of a new summary in a file whose agent supports hidden messages: replaced messages stay in the file, hidden. */
function hiderIdFor(opened: Opened, history: readonly IContent[]): string | undefined {
  if (!canHide(opened)) return undefined;
  const known = new Set(opened.placed.flatMap(({ entries }) => entries.map(({ entry }) => entry.metadata?.id)));
  const summary = history.find(({ metadata }) => metadata?.isSummary === true && !known.has(metadata.id));
  if (!summary) return undefined;
  const digest = createHash('sha256').update(jsonText(summary.blocks, 'a summary')).digest('hex').slice(0, 12);
  const taken = hiderIds(opened.conversation.messages);
  return taken.includes(`condense-${digest}`) ? `condense-${digest}-${taken.length}` : `condense-${digest}`;
}

/** The new history of a file, and the dialect to write it. */
function editOf(opened: Opened, history: readonly IContent[]): Parameters<typeof writeMessages>[2] {
  const { conversation, placed } = opened;
  const times = conversation.messages.flatMap((message) => (isRecord(message) ? Number(message['ts']) || [] : []));
  // The agent identifies messages by their time, so it must be unique.
  const startedAt = times.reduce((latest, time) => Math.max(latest, time), 0) + 1;
  const hasIds = conversation.messages.some((message) => isRecord(message) && typeof message['id'] === 'string');
  const condenseId = hiderIdFor(opened, history);
  const dialect = opened.dialectFor({ startedAt, hasIds, ...(condenseId !== undefined && { condenseId }) });
  return { placed: visible(placed, conversation.messages), history, dialect };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const opened = open(lines);
  yield writeMessages(opened.bytes, opened.conversation, editOf(opened, history));
}

/**
 * `api_conversation_history.json` of Cline, Roo Code and Kilo Code, and `messages.json` of the Cline SDK. Calls are XML in
 * the text of an answer, paired with results by name and order, or `tool_use`. User feedback in a result is a separate
 * entry. Messages that a summary (`condenseParent`) or a truncation (`truncationParent`) replaces are not live; our summary
 * in a file of Roo Code hides messages in the same way. `ui_messages.json` is updated with the conversation.
 * Source: recordings of 2025 and 2026; RooCodeInc/Roo-Code, src/core/condense.
 */
export const cline: SessionFormat = withProviderCuts({
  name: NAME,
  title: 'Cline or Roo Code conversation',
  vocabulary,
  detect: (head) => isClineConversation(headDocument(head)),
  read,
  write,
  usageReports: USAGE_REPORTS,
  create: creatorOf((history, { startedAt }) => clineDialect(new Map(), { startedAt }).create(sendable(history))),
  companion: {
    sessionName: 'api_conversation_history.json',
    name: 'ui_messages.json',
    write(bytes, { lines, history, isUndone }) {
      const opened = open(lines);
      const { conversation } = opened;
      const after = indicesAfter(conversation, editOf(opened, history));
      return twinAfter(bytes, isUndone ? originOf(conversation.messages.map((_, index) => after(index))) : after);
    },
  },
});
