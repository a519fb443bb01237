import { isRecord } from '../../content/foreign-value.ts';

type Fields = Readonly<Record<string, unknown>>;

const textsOf = ({ content }: Fields): string[] =>
  typeof content === 'string'
    ? [content]
    : (Array.isArray(content) ? content : []).flatMap((part: unknown) =>
        isRecord(part) && typeof part['text'] === 'string' ? part['text'] : [],
      );

/** Whether a list starts as Cline and its forks start a task, with nothing else that says so. */
export function isClineTask(messages: readonly unknown[]): boolean {
  const [first] = messages;
  return isRecord(first) && first['role'] === 'user' && /^\s*<task>/.test(textsOf(first)[0] ?? '');
}

const isTimed = (message: unknown): boolean =>
  isRecord(message) &&
  typeof message['ts'] === 'number' &&
  (message['role'] === 'user' || message['role'] === 'assistant') &&
  !('parts' in message);

/** Whether a document, which may be cut, is a conversation of Cline, Roo Code or Kilo Code, or a session of the Cline SDK. */
export function isClineConversation(document: unknown): boolean {
  const list = isRecord(document) ? document['messages'] : document;
  if (!Array.isArray(list) || list.length === 0) return false;
  if (isRecord(document) && !('version' in document || 'sessionId' in document || 'system_prompt' in document))
    return false;
  return isTimed(list[0]) || (Array.isArray(document) && isClineTask(list));
}

/** What the details of the environment say of the session. */
export function environmentOf(messages: readonly unknown[]): { model?: string; workspaceRoot?: string } {
  const details = messages
    .filter(isRecord)
    .flatMap(textsOf)
    .filter((text) => text.includes('<environment_details>'));
  const last = (pattern: RegExp): string | undefined =>
    pattern.exec(details.findLast((text) => pattern.test(text)) ?? '')?.[1];
  const model = last(/<model>([^<]+)<\/model>/);
  const workspaceRoot = last(/# Current (?:Workspace|Working) Directory \((\/[^)\n]*)\)/);
  return { ...(model !== undefined && { model }), ...(workspaceRoot !== undefined && { workspaceRoot }) };
}
