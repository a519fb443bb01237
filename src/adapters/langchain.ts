import { asText, type Fields, isRecord } from '../content/foreign-value.ts';
import type { AdapterOptions } from './adapter-options.ts';
import { type ListForm, listPruner, sendPruned } from './list-pruner.ts';

/** A message of LangChain. */
export interface BaseMessage {
  readonly type: string;
  readonly content: unknown;
}

/** Calls have a list of their own. */
const CALL_BLOCKS = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'input_json_delta',
  'function_call',
  'functionCall',
]);

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function viewBlock(block: Fields): Fields {
  const { type } = block;
  // What other models thought is not signed.
  if (type === 'reasoning')
    return { type: 'thinking', thinking: asText(block['reasoning']), signature: block['signature'] };
  return type === 'image_url' || type === 'image' ? { type: 'image', source: { type: 'url', url: '' } } : block;
}

const blocksOf = (content: unknown): Fields[] =>
  typeof content === 'string'
    ? content === ''
      ? []
      : [{ type: 'text', text: content }]
    : listOf(content).map(viewBlock);

/** The text of a result, if it is one. */
function resultText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const [only] = Array.isArray(content) && content.length === 1 ? listOf(content) : [];
  return only?.['type'] === 'text' ? asText(only['text']) : undefined;
}

const baseMessages: ListForm<BaseMessage> = {
  view(message) {
    const { type, content } = message;
    // Each type of message has its own fields; those of other types are undefined here.
    const { tool_calls: calls, tool_call_id: id, status } = message as unknown as Fields;
    if (type === 'tool') {
      const isError = status === 'error' && { is_error: true };
      return [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: resultText(content) ?? [], ...isError }],
        },
      ];
    }
    if (type !== 'ai') return [{ role: type === 'system' ? 'system' : 'user', content: blocksOf(content) }];
    const said = blocksOf(content).filter((block) => !CALL_BLOCKS.has(asText(block['type'])));
    const called = listOf(calls).map(({ id: callId, name, args }) => ({
      type: 'tool_use',
      id: callId,
      name,
      input: args,
      caller: listOf(content).find((block) => block['id'] === callId)?.['caller'],
    }));
    return [{ role: 'assistant', content: [...said, ...called] }];
  },
  withText(message, _, text) {
    const [only] = Array.isArray(message.content) ? listOf(message.content) : [];
    const content = only === undefined ? text : [{ ...only, text }];
    const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content });
    // Written instead of the fields where messages are stored.
    if (isRecord(copy.lc_kwargs)) copy.lc_kwargs = { ...copy.lc_kwargs, content };
    return copy;
  },
};

/** What a chat model calls itself. */
const modelName = (model: unknown): string => {
  if (!isRecord(model)) return asText(model);
  const { model: name, modelName: older, bound } = model;
  return asText(name) || asText(older) || (bound === undefined ? '' : modelName(bound));
};

/** Only the size of tools counts, and their schemas may be objects with circles. */
const toolFacts = (tools: unknown): unknown[] => listOf(tools).map(({ name, description }) => ({ name, description }));

const threadOf = (configurable: unknown): string | undefined => {
  const thread = isRecord(configurable) ? configurable['thread_id'] : undefined;
  return typeof thread === 'string' ? thread : undefined;
};

export interface ModelRequest {
  readonly messages: readonly BaseMessage[];
  readonly model: unknown;
  readonly tools?: unknown;
  readonly systemPrompt?: unknown;
  readonly runtime?: unknown;
}

/**
 * A `wrapModelCall` for `createMiddleware` of LangChain. The state of the agent, and so its checkpoints, keep every result.
 * `thread_id` names the conversation. See docs/adapters.md.
 */
export function prunedModelCall(options: AdapterOptions = {}) {
  const prune = listPruner(baseMessages, options);
  return async <Request extends ModelRequest, Handled extends ModelRequest, Answer>(
    request: Request & Handled,
    handler: (request: Handled) => Answer | PromiseLike<Answer>,
  ): Promise<Answer> => {
    const { messages, model, tools, systemPrompt } = request;
    const runtime = isRecord(request.runtime) ? request.runtime : {};
    const pruned = await prune(messages, {
      model: modelName(model),
      conversation: threadOf(runtime['configurable']),
      tools: toolFacts(tools),
      system: systemPrompt,
      signal: runtime['signal'] instanceof AbortSignal ? runtime['signal'] : undefined,
    });
    return sendPruned(pruned, (list) => handler(list ? { ...request, messages: list } : request));
  };
}

export interface ModelInputOptions extends AdapterOptions {
  /** The model that is asked: the hook is not given it. */
  readonly model?: string;
}

/**
 * A `preModelHook` for `createReactAgent` of LangGraph, or a node before one's own call of a model, which then gets
 * `llmInputMessages`. The state keeps every result. `thread_id` names the conversation. See docs/adapters.md.
 */
export function prunedModelInput({ model, ...options }: ModelInputOptions = {}) {
  const prune = listPruner(baseMessages, options);
  return async <Message extends BaseMessage>(
    { messages }: { messages: Message[] },
    config?: { readonly configurable?: unknown; readonly signal?: AbortSignal | undefined },
  ): Promise<{ llmInputMessages: Message[] }> => {
    const facts = { model, conversation: threadOf(config?.configurable), signal: config?.signal };
    return { llmInputMessages: (await prune(messages, facts))?.list ?? messages };
  };
}
