import { blocksOf, type MessageLike, type WrittenMessage } from '../message.ts';

const TITLE = '[Restored after compact] ';
const AFTER_PATH = ':\n';

/** The message that restores a file. Source: PRD, F-005, rule 7. */
export function restoredMessage(spelled: string, text: string): WrittenMessage {
  return { role: 'user', content: `${TITLE}${spelled}${AFTER_PATH}${text}` };
}

/** The files, as they were spelled, that an earlier compaction restored in this message. */
export function restoredPaths(message: MessageLike): string[] {
  if (message.role !== 'user') return [];
  return blocksOf(message).flatMap(({ text }) => {
    if (typeof text !== 'string' || !text.startsWith(TITLE)) return [];
    const end = text.indexOf(AFTER_PATH, TITLE.length);
    return end > TITLE.length ? [text.slice(TITLE.length, end)] : [];
  });
}
