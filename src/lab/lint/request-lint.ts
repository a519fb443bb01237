import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { LintFinding } from './lint.ts';

/** The fault of one message of a request, if any; `isLast`: nothing follows it. */
type MessageCheck = (message: Readonly<Record<string, unknown>>, isLast: boolean) => readonly Flaw[];
type Flaw = Omit<LintFinding, 'position'>;

const refused = (rule: LintFinding['rule'], message: string): Flaw => ({ rule, severity: 'refused', message });

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === '';

/** Source: https://docs.anthropic.com/en/api/messages, and the API's `^[a-zA-Z0-9_-]+$` */
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** Source: errors of the Messages API: "all messages must have non-empty content except for the optional final assistant message" … */
const anthropicFlaws: MessageCheck = ({ role, content }, isLast) => {
  const isEnd = isLast && role === 'assistant';
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [{ type: 'text', text: content }];
  if (content === '' || blocks.length === 0)
    return isEnd ? [] : [refused('empty-entry', 'has no content: only the last answer may be empty.')];
  const flaws: Flaw[] = [];
  if (blocks.some(({ type, text }) => type === 'text' && isBlank(text)))
    flaws.push(refused('empty-text', 'has a text of nothing, or of nothing but blanks.'));
  for (const { type, id } of blocks) {
    if (type === 'tool_use' && typeof id === 'string' && !CALL_ID.test(id))
      flaws.push(refused('call-id', `has the call id "${id.slice(0, 40)}": letters, digits, - and _ are allowed.`));
  }
  const end = blocks.at(-1);
  if (isEnd && end?.['type'] === 'text' && !isBlank(end['text']) && /\s$/.test(String(end['text'])))
    flaws.push(refused('trailing-blank', 'ends with a blank: the last answer must not.'));
  return flaws;
};

/** Source: errors of Chat Completions: "expected a string, got null", "empty array. Expected an array with minimum length 1". */
const openaiFlaws: MessageCheck = ({ role, content, tool_calls: calls, function_call: call, refusal }) => {
  const isSaid = role === 'assistant' && ((Array.isArray(calls) && calls.length > 0) || call || refusal);
  const isNothing = content === null || content === undefined || (Array.isArray(content) && content.length === 0);
  return isNothing && !isSaid ? [refused('empty-entry', 'has no content, and no call either.')] : [];
};

/** Source: errors of generateContent: "contents.parts must not be empty", "required oneof field 'data' must have one initialized field". */
const geminiFlaws: MessageCheck = ({ parts }) => {
  if (!Array.isArray(parts) || parts.length === 0) return [refused('empty-entry', 'has no parts.')];
  const isHollow = parts.some((part) => isRecord(part) && Object.keys(part).length === 0);
  return isHollow ? [refused('empty-entry', 'has a part with nothing in it.')] : [];
};

/** By format: the key of its messages, and the check of one message. */
const CHECKS: ReadonlyMap<string, readonly [key: string, check: MessageCheck]> = new Map([
  ['anthropic-messages', ['messages', anthropicFlaws]],
  ['openai-chat', ['messages', openaiFlaws]],
  ['gemini-api', ['contents', geminiFlaws]],
]);

/** True if requests of this format can have faults that their history does not show. */
export const isRequestFormat = (format: string): boolean => CHECKS.has(format);

/**
 * The faults of a request body that `lintHistory` cannot see, because readers skip empty parts. Each names its message in
 * the body. Its position is the entry of that message, else of the last message before it.
 */
export function lintRequest(format: string, body: unknown, history: readonly IContent[]): readonly LintFinding[] {
  const checked = CHECKS.get(format);
  if (checked === undefined) return [];
  const [key, check] = checked;
  const isBare = Array.isArray(body);
  const messages: unknown = isBare ? body : isRecord(body) ? body[key] : undefined;
  if (!Array.isArray(messages)) return [];
  const entryOf = new Map<number, number>();
  for (const [entry, { metadata }] of history.entries()) {
    const place = Number(/^message-(\d+)/.exec(metadata?.id ?? '')?.[1] ?? Number.NaN);
    if (!entryOf.has(place)) entryOf.set(place, entry + 1);
  }
  let position = 1;
  return messages.flatMap((message: unknown, index) => {
    position = entryOf.get(index) ?? position;
    if (!isRecord(message) || !('role' in message)) return [];
    return check(message, index === messages.length - 1).map((flaw) => ({
      ...flaw,
      position,
      message: `${isBare ? '' : key}[${index}] ${flaw.message}`,
    }));
  });
}
