import { isRecord } from '../../content/foreign-value.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { sendable } from '../blocks/sendable.ts';
import type { SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import { creatorOf, documentFormat } from '../messages/message-document.ts';
import { contentsDocument, geminiContents, isContentList } from './gemini-content.ts';

/**
 * Checkpoints of `/chat save` in Gemini CLI and its forks, `~/.gemini/tmp/<hash>/checkpoint-<tag>.json`:
 * `{history, authType}`; and the checkpoints before edits, `checkpoints/*.json`, with turns in `clientHistory`. Lists of
 * turns, from older versions, are read as Gemini API requests.
 * Source: google-gemini/gemini-cli, packages/core/src/core/logger.ts and packages/core/src/utils/checkpointUtils.ts
 */
export const geminiCheckpoint: SessionFormat = documentFormat({
  name: 'gemini-checkpoint',
  title: 'Gemini CLI checkpoint',
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    return isRecord(document) && (isContentList(document['clientHistory']) || isContentList(document['history']));
  },
  /** The turns that the model was sent, not those for the screen (`history` of a tool checkpoint). */
  open: contentsDocument('a Gemini CLI checkpoint', ['clientHistory', 'history']),
  facts: () => ({}),
  create: creatorOf((history) => ({ history: geminiContents.create(sendable(history)) })),
});
