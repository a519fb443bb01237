import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError } from '../errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The blocks of a message as unchecked records; a string is one text block. Other values are omitted. */
export function blocksOf({ content }: { readonly content: unknown }): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** @throws CompressionStrategyError `HISTORY_INVALID` if the value is not a list of messages. */
export function assertMessages(messages: unknown): void {
  const wrong = Array.isArray(messages) ? messages.findIndex((message) => !isRecord(message)) : undefined;
  if (wrong === -1) return;
  const got = wrong === undefined ? typeof messages : `${String((messages as unknown[])[wrong])} at index ${wrong}`;
  throw new CompressionStrategyError(
    `Expected a list of messages, each with a role and a content, got ${got}.`,
    'HISTORY_INVALID',
  );
}
