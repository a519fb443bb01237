import { contentProblem, isContent } from '../../content/content-guard.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { llxprt as vocabulary } from '../../content/vocabularies/llxprt.ts';
import { entryChanges, entryPart } from '../blocks/entry-blocks.ts';
import type { Line, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import {
  creatorOf,
  documentFormat,
  findMessages,
  type MessageDocument,
  placeAll,
} from '../messages/message-document.ts';
import { lastModel, type MessageDialect } from '../messages/message-list.ts';

const dialect: MessageDialect = {
  reader: () => (message) => (isContent(message) ? [entryPart(message)] : []),
  changes: (_message, edits) => (edits.every(({ edit }) => edit.kind === 'drop') ? 'remove' : entryChanges(edits)),
  create: (entries) => entries,
};

/** The unusable entries, by their index: the document may be one line. */
function unusable(messages: readonly unknown[]): SkippedLine[] {
  return messages.flatMap((message, index) => {
    const problem = isRecord(message) ? contentProblem(message) : undefined;
    return problem === undefined ? [] : [{ line: 1, reason: `${problem} in entry ${index}` }];
  });
}

function open(lines: Iterable<Line>): MessageDocument {
  const found = findMessages(lines, { title: 'an LLxprt checkpoint', keys: ['history'], isMessage: isContent });
  const document = placeAll(found, dialect);
  return { ...document, skipped: [...unusable(found.conversation.messages), ...document.skipped] };
}

/** True if a list, which may be cut, starts with an entry. */
function isEntryList(list: unknown): boolean {
  const [first] = Array.isArray(list) ? (list as unknown[]) : [];
  return isRecord(first) && typeof first['speaker'] === 'string' && Array.isArray(first['blocks']);
}

/**
 * Checkpoints of LLxprt Code as one document of entries: `IContent[]`, or `{history: IContent[]}`. Its checkpoints of Gemini
 * turns are read as Gemini CLI's. Written from the published schema, without a recording.
 * Source: https://github.com/vybestack/llxprt-code, packages/core/src/services/history/IContent.ts
 */
export const llxprtCheckpoint: SessionFormat = documentFormat({
  name: 'llxprt-checkpoint',
  title: 'LLxprt checkpoint',
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    return isEntryList(isRecord(document) ? document['history'] : document);
  },
  open,
  facts({ placed }) {
    const model = lastModel(placed);
    return model === undefined ? {} : { model };
  },
  create: creatorOf((history) => history),
});
