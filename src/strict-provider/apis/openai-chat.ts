import type { Fields } from '../../content/foreign-value.ts';
import { type ApiContext, type Prompt, RuleBroken, type Said } from '../contract.ts';
import type { PartReader } from '../part-reader.ts';
import { type Api, inputTokens, recordsOf } from './api.ts';
import { argumentsText, constantParts, openaiWire } from './openai.ts';

const messagesError = (message: string, at: number, field: string): RuleBroken =>
  new RuleBroken(message, { parameter: `messages.[${at}].${field}` });

/**
 * All calls of a message are answered by the tool messages directly after it.
 * Source: https://github.com/aliasrobotics/cai/issues/111, https://github.com/microsoft/promptflow/pull/3130
 * @throws RuleBroken
 */
function check(messages: readonly Fields[]): void {
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

/** OpenAI's Chat Completions API. */
export function openaiChatApi(reader: PartReader): Api {
  function read(body: Fields, { family }: ApiContext): Prompt {
    const messages = recordsOf(body['messages']);
    check(messages);
    const parts = reader.partsOf([...constantParts(body), ...messages], family);
    return { parts, dropped: [], answer };
  }

  return {
    ...openaiWire,
    read,
    write([message], { model, id, tokens }) {
      const calls = (message as { tool_calls?: unknown[] }).tool_calls;
      const finish_reason = calls ? 'tool_calls' : 'stop';
      const input = inputTokens(tokens);
      const written = tokens.written;
      const usage = {
        prompt_tokens: input,
        completion_tokens: tokens.output,
        total_tokens: input + tokens.output,
        prompt_tokens_details: { cached_tokens: tokens.read, ...(written > 0 && { cache_write_tokens: written }) },
      };
      const head = { id: `chatcmpl-${id}`, model, created: 0 };
      const delta = {
        ...(message as Fields),
        ...(calls && { tool_calls: calls.map((call, index) => ({ index, ...(call as Fields) })) }),
      };
      const chunk = (choices: unknown[], rest: Fields = {}): { data: unknown } => ({
        data: { ...head, object: 'chat.completion.chunk', choices, ...rest },
      });
      return {
        body: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
        events: [
          chunk([{ index: 0, delta, finish_reason: null }]),
          chunk([{ index: 0, delta: {}, finish_reason }]),
          chunk([], { usage }),
          { data: '[DONE]' },
        ],
      };
    },
  };
}

/** Chat Completions returns no thinking. */
function answer({ text, calls = [] }: Said): readonly unknown[] {
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText(input) },
  }));
  const content = text ?? (calls.length > 0 ? null : '');
  return [{ role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) }];
}
