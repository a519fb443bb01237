import type { ToolResponseBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { resultText } from '../blocks/tool-result.ts';
import { parseJson } from '../lines/lines.ts';

const HEADER = /^\[([a-z][a-z_]*)\b[\s\S]{0,4000}?\] Result:\n?/;
/** User feedback while a tool waits, which the agent writes into the result. */
const FEEDBACK = /(?:^The user .*\r?\n)?<feedback>/gm;
const FEEDBACK_END = '</feedback>';
/** Parts of a user turn that belong to no result. */
const OWN_TURN =
  /^\s*(?:<environment_details>|<user_message>|New instructions for task continuation:|\[TASK RESUMPTION\])/;

const FAILED = 'The tool execution failed with the following error:\n<error>\n';
const FAILURE = /^The tool execution failed with the following error:\n<error>\n([\s\S]*?)\n<\/error>\n?/;
/**
 * Sentences at the start of the result of a call that did nothing, and the sign of a part that failed.
 * Source: Cline and Roo Code, `formatResponse`; recordings of 2025 and 2026.
 */
const REFUSAL =
  /^(?:The user denied this operation|Unable to apply diff|Failed to apply diff|Missing value for required parameter|<file_write_error>|<error>)[^\n]*/;
const FILE_ERROR = /<file><path>[^<]*<\/path><error>([^\n<]*)/;
const SDK_RESULT = /^\s*\{"query":/;
const STATUS_RESULT = /^\s*\{"status":"(?:error|denied)"/;

/** The tool whose result a text announces, and where the result starts. */
export function resultHeader(text: string): { name: string; end: number } | undefined {
  const found = HEADER.exec(text);
  return found ? { name: found[1] as string, end: found[0].length } : undefined;
}

/** True if a text of a user turn is not a part of a result. */
export function isOwnTurn(text: string): boolean {
  return OWN_TURN.test(text);
}

/** A part of a result: text of the user or of the tool. */
interface Stretch {
  readonly isFeedback: boolean;
  readonly start: number;
  readonly end: number;
}

/** The user feedback in a result and the text around it, in order. */
export function stretches(text: string, from: number): Stretch[] {
  const found: Stretch[] = [];
  let start = from;
  for (const { index } of text.slice(from).matchAll(FEEDBACK)) {
    const opening = from + index;
    if (opening < start) continue;
    const close = text.indexOf(FEEDBACK_END, opening);
    if (close === -1) break;
    if (opening > start) found.push({ isFeedback: false, start, end: opening });
    start = close + FEEDBACK_END.length;
    if (text[start] === '\n') start++;
    found.push({ isFeedback: true, start: opening, end: start });
  }
  if (start < text.length) found.push({ isFeedback: false, start, end: text.length });
  return found;
}

/** The result and the error in a text; the agent's sentence about a failure is `error`. */
export function textFacts(text: string): { result: string; error: string | undefined } {
  const failed = FAILURE.exec(text);
  if (failed) return { result: text.slice(failed[0].length), error: failed[1] as string };
  const error = REFUSAL.exec(text)?.[0] ?? FILE_ERROR.exec(text)?.[1];
  return { result: text, error };
}

/** The text that is read as this result and error. */
export function textOfResult({ result, error }: ToolResponseBlock): string {
  const text = resultText(result);
  const plain = textFacts(text);
  if (error === undefined || (plain.error === error && plain.result === text)) return text;
  return `${FAILED}${error}\n</error>${text === '' ? '' : `\n${text}`}`;
}

const oneLine = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().split('\n')[0] : undefined;

function failureOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { success, status, error, message, result } = value;
  if (success !== false && status !== 'error' && status !== 'denied') return undefined;
  return oneLine(error) ?? oneLine(message) ?? oneLine(result) ?? 'failed';
}

/** The failure in the content of a `tool_result`: objects of the Cline SDK, Roo Code's JSON, or a sentence. */
export function recordedFailure(result: unknown): string | undefined {
  if (Array.isArray(result)) return result.map(failureOf).find((error) => error !== undefined);
  if (typeof result !== 'string') return undefined;
  if (SDK_RESULT.test(result) || STATUS_RESULT.test(result)) {
    const parsed = parseJson(result);
    return parsed.kind === 'json' ? failureOf(parsed.value) : undefined;
  }
  return oneLine(textFacts(result).error);
}
