import type { IContent } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { type LintFinding, lintHistory } from './lint.ts';
import { REQUEST_RULES, type RequestRules } from './rules/request-rules.ts';
import { RuleBroken } from './rules/rule-broken.ts';

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
  if (typeof content !== 'string' && !Array.isArray(content))
    return [refused('empty-entry', 'has a content that is neither a text nor a list.')];
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

const CHECKS: ReadonlyMap<string, MessageCheck> = new Map([
  ['anthropic-messages', anthropicFlaws],
  ['openai-chat', openaiFlaws],
  ['gemini-api', geminiFlaws],
]);

/** True if requests of this format can have faults that their history does not show. */
export const isRequestFormat = (format: string): boolean => REQUEST_RULES.has(format);

/** What a check of a request throws, if it does. */
function brokenBy(check: () => void): RuleBroken | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof RuleBroken) return error;
    throw error;
  }
  return undefined;
}

/** The rules of its API that a request breaks, in the words of the API. */
function brokenRules({ always, newer }: RequestRules, request: Fields): (Flaw & { readonly at: number | undefined })[] {
  const broken = (check: (of: Fields) => void, severity: Flaw['severity']) => {
    const rule = brokenBy(() => check(request));
    return rule ? [{ rule: 'api-rule', severity, message: rule.message, at: rule.at } as const] : [];
  };
  const refused = always.flatMap((check) => broken(check, 'refused'));
  const doubtful = refused.length === 0 && newer ? broken(newer, 'doubtful') : [];
  const messages = new Set<string>();
  // A check that needs the messages fails with all others if they cannot be read.
  return [...refused, ...doubtful].filter(({ message }) => messages.size < messages.add(message).size);
}

/**
 * The faults of a request body that `lintHistory` cannot see, because readers skip empty parts and what an API alone
 * forbids. Each names its message in the body. Its position is the entry of that message, else of the last message before
 * it. If nothing else is refused, the rules of the strict provider are checked too; an API names one fault at a time.
 */
export function lintRequest(format: string, body: unknown, history: readonly IContent[]): readonly LintFinding[] {
  const rules = REQUEST_RULES.get(format);
  if (rules === undefined) return [];
  const { key } = rules;
  const isBare = Array.isArray(body);
  const request = isBare ? { [key]: body } : isRecord(body) ? body : {};
  const messages: unknown = request[key];
  if (!Array.isArray(messages)) return [];
  const entryOf = new Map<number, number>();
  for (const [entry, { metadata }] of history.entries()) {
    const place = Number(/^message-(\d+)/.exec(metadata?.id ?? '')?.[1] ?? Number.NaN);
    if (!entryOf.has(place)) entryOf.set(place, entry + 1);
  }
  const check = CHECKS.get(format);
  const isMessage = (value: unknown): value is Fields => isRecord(value) && ('role' in value || 'type' in value);
  const positions: number[] = [];
  const flaws = messages.flatMap((message: unknown, index) => {
    const position = entryOf.get(index) ?? positions.at(-1) ?? 1;
    positions.push(position);
    if (!check || !isMessage(message)) return [];
    return check(message, index === messages.length - 1).map((flaw) => ({
      ...flaw,
      position,
      message: `${isBare ? '' : key}[${index}] ${flaw.message}`,
    }));
  });
  const isRefused = ({ severity }: LintFinding): boolean => severity === 'refused';
  if (!messages.some(isMessage) || flaws.some(isRefused) || lintHistory(history).some(isRefused)) return flaws;
  const broken = brokenRules(rules, request).map(({ at, ...flaw }) => ({ ...flaw, position: positions[at ?? 0] ?? 1 }));
  return [...flaws, ...broken];
}
