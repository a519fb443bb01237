import type { IContent } from '../content/content.ts';
import { contentProblem, isContent } from '../content/content-guard.ts';
import { llxprt as vocabulary } from '../content/vocabularies/llxprt.ts';
import { isRecord } from '../content/vocabulary.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from './contract.ts';
import { headDocument } from './detection.ts';
import { noMessages, readDocument } from './json-document.ts';
import type { JsonChange } from './json-splice.ts';
import { jsonText } from './json-text.ts';
import { assertRestartable } from './lines.ts';
import {
  type Conversation,
  eventsOf,
  type MessageDialect,
  type PlacedMessage,
  placeMessages,
  writeMessages,
} from './message-list.ts';

const NAME = 'llxprt-checkpoint';
const TITLE = 'an LLxprt checkpoint';

const dialect: MessageDialect = {
  reader: () => (message) => {
    if (!isContent(message)) return [];
    const { speaker, blocks, metadata } = message;
    return [{ speaker, blocks, places: blocks.map((_, index) => ['blocks', index]), ...(metadata && { metadata }) }];
  },
  changes(_message, edits) {
    if (edits.every(({ edit }) => edit.kind === 'drop')) return 'remove';
    return edits.flatMap(({ edit, path }): JsonChange[] => {
      if (edit.kind === 'keep') return [];
      return [edit.kind === 'drop' ? { kind: 'remove', path } : { kind: 'set', path, value: edit.block }];
    });
  },
  create: (entries) => entries,
};

interface Opened {
  readonly bytes: Uint8Array;
  readonly conversation: Conversation;
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

/** Entries that cannot be used, by their place: the document itself may be one line. */
function unusable(messages: readonly unknown[]): SkippedLine[] {
  return messages.flatMap((message, index) => {
    const problem = isRecord(message) ? contentProblem(message) : undefined;
    return problem === undefined ? [] : [{ line: 1, reason: `${problem} in entry ${index}` }];
  });
}

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const messages = isRecord(value) ? value['history'] : value;
  if (!Array.isArray(messages) || !messages.some(isContent))
    throw noMessages(TITLE, `${bytes.length} bytes of JSON without any`);
  const conversation = { path: isRecord(value) ? ['history'] : [], messages };
  const skipped = unusable(messages);
  const placed = placeMessages(conversation, { dialect, start: 0, prefix: '', skipped });
  return { bytes, conversation, placed, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { placed, skipped } = open(lines);
  const models = placed.flatMap(({ entries }) => entries.map(({ entry }) => entry.metadata?.model));
  const model = models.findLast((name) => name !== undefined);
  return { format: NAME, ...(model !== undefined && { model }), events: eventsOf([placed]), skipped };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversation, placed } = open(lines);
  yield writeMessages(bytes, conversation, { placed, history, dialect });
}

function* create(history: readonly IContent[], _session: NewSession): Generator<Uint8Array> {
  yield new TextEncoder().encode(`${jsonText(history, 'the entries')}\n`);
}

/** Whether a list, which may be cut, starts with an entry. */
function isEntryList(list: unknown): boolean {
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  return isRecord(first) && typeof first['speaker'] === 'string' && Array.isArray(first['blocks']);
}

/**
 * Checkpoints of LLxprt Code as one document of entries: `IContent[]`, or `{history: IContent[]}`. Those that it keeps as
 * turns of Gemini are read as Gemini CLI's. Written from the published schema: none was at hand.
 * Source: https://github.com/vybestack/llxprt-code, packages/core/src/services/history/IContent.ts
 */
export const llxprtCheckpoint: SessionFormat = {
  name: NAME,
  title: 'LLxprt checkpoint',
  vocabulary,
  detect: (head) => {
    const document = headDocument(head);
    return isEntryList(isRecord(document) ? document['history'] : document);
  },
  read,
  write,
  create,
};
