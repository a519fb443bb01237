import { isRecord } from '../../content/foreign-value.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import { creatorOf, documentFormat } from '../messages/message-document.ts';
import { contentsDocument, geminiContents, isContentList } from './gemini-content.ts';

/**
 * Request bodies of the Gemini API, `{contents, systemInstruction, tools}`, or a `Content[]`, such as older checkpoints of
 * Gemini CLI. Each turn is one entry, and each function response is one entry.
 * Source: https://ai.google.dev/api/generate-content
 */
export const geminiApi: SessionFormat = documentFormat({
  name: 'gemini-api',
  title: 'Gemini API request',
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    return isContentList(isRecord(document) ? document['contents'] : document);
  },
  open: contentsDocument('a Gemini API request', ['contents']),
  /** The system instruction is a text or a turn; two of these fields have two names. */
  facts({ around }) {
    const { model, tools } = around;
    const instruction = around['systemInstruction'] ?? around['system_instruction'];
    const parts = isRecord(instruction) ? instruction['parts'] : instruction;
    const texts = (Array.isArray(parts) ? parts : [parts]).map((part: unknown) =>
      isRecord(part) ? part['text'] : part,
    );
    return { ...(typeof model === 'string' && { model }), ...systemFacts(texts, tools) };
  },
  create: creatorOf((history, { model }) => ({
    ...(model !== undefined && { model }),
    contents: geminiContents.create(sendable(history)),
  })),
});
