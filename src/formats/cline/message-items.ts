import { isRecord } from '../../content/foreign-value.ts';
import type { Message } from '../messages/message-list.ts';

/** An item of a message with its index in the content; -1 if the content is a text. */
interface Item {
  readonly index: number;
  readonly part: unknown;
  /** Its text, if it is one. */
  readonly text: string | undefined;
}

/** The items of a message; a content that is a text is one item. */
export function itemsOf({ content }: Message): readonly Item[] {
  if (typeof content === 'string') return content === '' ? [] : [{ index: -1, part: content, text: content }];
  return (Array.isArray(content) ? content : []).map((part: unknown, index): Item => {
    const text = isRecord(part) && part['type'] === 'text' ? part['text'] : undefined;
    return { index, part, text: typeof text === 'string' && text !== '' ? text : undefined };
  });
}
