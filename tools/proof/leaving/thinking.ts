import { isRecord } from '../../../src/content/foreign-value.ts';
import { valueAt } from '../../../src/formats/json/json-change.ts';
import { listOf } from '../live/sent-list.ts';

/** The signatures of all thinking in a request of the Messages API. */
export const thinkingIn = (body: object): unknown[] =>
  listOf(body).flatMap((message) => {
    const content: unknown = isRecord(message) ? message['content'] : undefined;
    const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
    return blocks.flatMap(({ type, signature }) => (type === 'thinking' ? [signature] : []));
  });

/** The signature of the thinking at a place as the provider names it: `messages.2.content.0`. */
export const thinkingAt = (body: object, place: string): unknown =>
  valueAt(body, [...place.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)), 'signature']);
