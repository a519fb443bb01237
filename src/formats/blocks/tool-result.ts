import type { ToolResponseBlock } from '../../content/content.ts';
import { jsonText } from '../json/json-text.ts';

/** The text of a failed result without text. */
const NO_WORDS = 'Error';

/** The outcome of a call; `error` if it failed. */
export interface ResponseFacts {
  readonly result: unknown;
  readonly error?: string | undefined;
}

/** The result of a call, with one object shape for failures and one for successes (see `recordedMetadata`). */
export function responseBlock(callId: string, toolName: string, { result, error }: ResponseFacts): ToolResponseBlock {
  if (error === undefined) return { type: 'tool_response', callId, toolName, result };
  return { type: 'tool_response', callId, toolName, result, error };
}

/**
 * The two fields of a failed result that is one text in a file (docs/readings.md, row 20): `error` is its first line that
 * is not blank, `result` the rest. It splits a text of `joinError` into the same two.
 */
export function splitError(text: string): { error: string; result: string } {
  const words = text.trimStart();
  if (words === '') return { error: NO_WORDS, result: '' };
  const end = words.indexOf('\n');
  return end === -1 ? { error: words, result: '' } : { error: words.slice(0, end), result: words.slice(end + 1) };
}

/** An error and a result as one text. */
export function joinError(error: string, result: string): string {
  return result === '' ? error || NO_WORDS : `${error || NO_WORDS}\n${result}`;
}

/** A result as text: a string as it is, `undefined` as '', any other value as JSON. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined ? '' : jsonText(result, 'a tool result');
}

/** A result and its error as one text. */
export function responseText({ error, result }: Pick<ToolResponseBlock, 'error' | 'result'>): string {
  const text = resultText(result ?? '');
  return error === undefined ? text : joinError(error, text);
}
