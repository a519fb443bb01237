import { isRecord } from '../../../src/content/foreign-value.ts';

const isThinking = (block: unknown): block is object =>
  isRecord(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking');

/** The thinking of each message of a request, in order; empty for other APIs. */
function thinkingOf(body: Buffer): object[][] {
  const request: unknown = JSON.parse(body.toString());
  const messages = isRecord(request) && Array.isArray(request['messages']) ? request['messages'] : [];
  return messages.map(({ content }) => (Array.isArray(content) ? content.filter(isThinking) : []));
}

/** The bytes of a request without the thinking of messages that have none when they are sent, and how many messages those are. */
export function omittedThinking(original: Buffer, sent: Buffer): { rest: Buffer; count: number } {
  const left = thinkingOf(sent);
  const omitted = thinkingOf(original).filter((blocks, at) => blocks.length > 0 && left[at]?.length === 0);
  let text = original.toString();
  for (const block of omitted.flat()) {
    const bytes = JSON.stringify(block);
    text = text.includes(`${bytes},`) ? text.replace(`${bytes},`, () => '') : text.replace(`,${bytes}`, () => '');
  }
  return { rest: Buffer.from(text), count: omitted.length };
}
