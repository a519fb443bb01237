import { type Fields, recordsOf } from '../../../content/foreign-value.ts';
import { RuleBroken } from './rule-broken.ts';

const messagesError = (message: string, at: number, field: string): RuleBroken =>
  new RuleBroken(message, { parameter: `messages.[${at}].${field}`, at });

/**
 * All calls of a message are answered by the tool messages directly after it.
 * Source: https://github.com/aliasrobotics/cai/issues/111, https://github.com/microsoft/promptflow/pull/3130
 * @throws RuleBroken
 */
export function checkChat(messages: readonly Fields[]): void {
  if (messages.length === 0) {
    throw new RuleBroken(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      {
        parameter: 'messages',
        code: 'empty_array',
      },
    );
  }
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const { role, content } = message;
    const calls = recordsOf(message['tool_calls']);
    const [number] = [...calls.map((call) => call['id']), message['tool_call_id'] ?? ''].filter(
      (id) => typeof id === 'number',
    );
    if (number !== undefined)
      throw messagesError(
        `Invalid type for 'messages[${at}]': expected a string as the id of a call, but got ${number} instead.`,
        at,
        role === 'tool' ? 'tool_call_id' : 'tool_calls',
      );
    if (role === 'tool') {
      if (!open.delete(String(message['tool_call_id']))) {
        throw messagesError(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          at,
          'role',
        );
      }
    } else {
      assertAnswered(open, at);
      open = new Set(calls.map(({ id }) => String(id)));
    }
    if ((content === null || content === undefined) && calls.length === 0 && message['refusal'] === undefined) {
      throw messagesError("Invalid value for 'content': expected a string, got null.", at, 'content');
    }
  }
  assertAnswered(open, messages.length);
}

function assertAnswered(open: ReadonlySet<string>, at: number): void {
  if (open.size === 0) return;
  throw messagesError(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    at,
    'role',
  );
}

export const ITEM_CALL = /^(?:function|custom_tool|local_shell|shell|apply_patch)_call$/;
const ITEM_OUTPUT = /^(?:function|custom_tool|local_shell|shell|apply_patch)_call_output$/;
export const inputError = (message: string, code?: string): RuleBroken =>
  new RuleBroken(message, { parameter: 'input', ...(code !== undefined && { code }) });

/**
 * Each output has its call before it, and each call its output.
 * Source: https://github.com/bytedance/trae-agent/issues/245, https://github.com/continuedev/continue/issues/10092
 * @throws RuleBroken
 */
export function checkItemPairs(items: readonly Fields[]): void {
  const open = new Map<string, string>();
  for (const item of items) {
    const type = String(item['type']);
    const id = String(item['call_id']);
    const name = type.replace(/_call(?:_output)?$/, '').replaceAll('_', ' ');
    if (ITEM_CALL.test(type)) open.set(id, name);
    if (ITEM_OUTPUT.test(type) && !open.has(id)) {
      throw inputError(`No tool call found for ${name} call output with call_id ${id}.`);
    }
  }
  const answered = new Set(
    items.flatMap((item) => (ITEM_OUTPUT.test(String(item['type'])) ? String(item['call_id']) : [])),
  );
  for (const [id, name] of open)
    if (!answered.has(id)) throw inputError(`No tool output found for ${name} call ${id}.`);
}
