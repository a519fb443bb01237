import { type Fields, recordsOf } from '../../content/foreign-value.ts';
import { checkChat } from '../../lab/lint/rules/openai-requests.ts';
import type { ApiContext, Prompt, Said } from '../contract.ts';
import type { PartReader } from '../part-reader.ts';
import { type Api, inputTokens } from './api.ts';
import { argumentsText, constantParts, openaiWire } from './openai.ts';

/** OpenAI's Chat Completions API. */
export function openaiChatApi(reader: PartReader): Api {
  function read(body: Fields, { family }: ApiContext): Prompt {
    const messages = recordsOf(body['messages']);
    checkChat(messages);
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
