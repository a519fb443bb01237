import { isRecord } from '../../content/foreign-value.ts';

/**
 * The text that the model gets for a file that a person attached, `{type: 'file', path, content}`; `undefined` for any other
 * item of a message.
 * Source: a recording of Cline 3.0.65, and its request
 */
export function attachedText(item: unknown): string | undefined {
  if (!isRecord(item) || item['type'] !== 'file') return undefined;
  const { path, content } = item;
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  return `<file_content path="${path}">\n${content}\n</file_content>`;
}
