import { type Fields, isRecord } from '../../content/foreign-value.ts';

const textsOf = ({ content }: Fields): string[] =>
  typeof content === 'string'
    ? [content]
    : (Array.isArray(content) ? content : []).flatMap((part: unknown) =>
        isRecord(part) && typeof part['text'] === 'string' ? part['text'] : [],
      );

/** True if a list starts like a task of Cline or a fork. */
export function isClineTask(messages: readonly unknown[]): boolean {
  const [first] = messages;
  return isRecord(first) && first['role'] === 'user' && /^\s*<task>/.test(textsOf(first)[0] ?? '');
}

const isTimed = (message: unknown): boolean =>
  isRecord(message) &&
  typeof message['ts'] === 'number' &&
  (message['role'] === 'user' || message['role'] === 'assistant') &&
  !('parts' in message);

/** True if a document, which may be cut, is a conversation of Cline, Roo Code or Kilo Code, or a Cline SDK session. */
export function isClineConversation(document: unknown): boolean {
  const list = isRecord(document) ? document['messages'] : document;
  if (!Array.isArray(list) || list.length === 0) return false;
  if (isRecord(document) && !('version' in document || 'sessionId' in document || 'system_prompt' in document))
    return false;
  return isTimed(list[0]) || (Array.isArray(document) && isClineTask(list));
}

/** The facts of a session in its environment details. */
export function environmentOf(messages: readonly unknown[]): { model?: string; workspaceRoot?: string } {
  const details = messages
    .filter(isRecord)
    .flatMap(textsOf)
    .filter((text) => text.includes('<environment_details>'));
  const last = (pattern: RegExp): string | undefined =>
    pattern.exec(details.findLast((text) => pattern.test(text)) ?? '')?.[1];
  const model = last(/<model>([^<]+)<\/model>/);
  const workspaceRoot = last(/^# Current (?:Workspace|Working) Directory \((\/.*?)\)/m);
  return { ...(model !== undefined && { model }), ...(workspaceRoot !== undefined && { workspaceRoot }) };
}
