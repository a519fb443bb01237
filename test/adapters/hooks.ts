import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { AdapterOptions } from '../../src/adapters/adapter-options.ts';
import { prunedPrompts, prunedSteps } from '../../src/adapters/ai-sdk.ts';
import { prunedMessages } from '../../src/adapters/anthropic.ts';
import { prunedFetch } from '../../src/adapters/fetch.ts';
import { prunedModelCall, prunedModelInput } from '../../src/adapters/langchain.ts';
import { prunedInput } from '../../src/adapters/openai-agents.ts';
import { prunedTransform } from '../../src/adapters/opencode.ts';
import { prunedContext } from '../../src/adapters/pi.ts';

/** A call of a tool and its result. */
export interface Exchange {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly result: string;
}

/** An adapter as its SDK calls it, with lists as the SDK keeps them. */
export interface Hook {
  first(text: string): object;
  elements(exchange: Exchange): object[];
  /** Sends a list of a session through the adapter: what the model gets, as one text without its end. */
  start(options: AdapterOptions): (list: readonly object[], session: string) => Promise<string>;
}

const CLAUDE = 'claude-haiku-4-5';
const GPT = 'gpt-5';
const TOOLS = [{ name: 'read' }];

/** Elements are stringified once: lists get long. That nobody changed them is asserted apart. */
const texts = new WeakMap<object, string>();
function textOf(one: object, text: () => string = () => JSON.stringify(one)): string {
  const known = texts.get(one) ?? text();
  texts.set(one, known);
  return known;
}
const joined = (list: readonly object[]): string => list.map((one) => textOf(one)).join('\n');
/** As `JSON.stringify` does it. */
const bodyWith = (fields: object, messages: readonly object[]): string =>
  `${JSON.stringify(fields).slice(0, -1)},"messages":[${messages.map((one) => textOf(one)).join(',')}]}`;
const asUser = (content: string): object => ({ role: 'user', content });

/** A `fetch` of which the body is kept. */
function captured(): { fetch: typeof fetch; body(): string } {
  let text = '';
  return {
    fetch: async (_, init) => {
      text = String(init?.body);
      return new Response('{}');
    },
    body: () => text,
  };
}
/** The end of the list in a body is not sent again. */
const withoutEnd = (body: string): string => body.slice(0, -']}'.length);

const anthropicElements = ({ id, name, input, result }: Exchange): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
];

const modelMessages = {
  first: (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }),
  elements: ({ id: toolCallId, name: toolName, input, result }: Exchange) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: result } }] },
  ],
};

const baseMessages = {
  first: (text: string) => new HumanMessage(text),
  elements: ({ id, name, input, result }: Exchange) => [
    new AIMessage({ content: '', tool_calls: [{ id, name, args: { ...input }, type: 'tool_call' }] }),
    new ToolMessage({ content: result, tool_call_id: id, name }),
  ],
};
type AnyMessage = HumanMessage | AIMessage | ToolMessage;
const joinedMessages = (list: readonly AnyMessage[]): string =>
  list
    .map((one) =>
      textOf(one, () => JSON.stringify([one.type, one.content, 'tool_calls' in one ? one.tool_calls : undefined])),
    )
    .join('\n');

export const HOOKS: Readonly<Record<string, Hook>> = {
  'fetch, chat completions': {
    first: asUser,
    elements: ({ id, name, input, result }) => [
      {
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      },
      { role: 'tool', tool_call_id: id, content: result },
    ],
    start(options) {
      const { fetch, body } = captured();
      const pruned = prunedFetch({ ...options, fetch });
      return async (messages, session) => {
        const given = bodyWith({ model: GPT, tools: TOOLS }, messages);
        const headers = { 'x-session-id': session };
        await pruned('https://api.example/v1/chat/completions', { method: 'POST', headers, body: given });
        return withoutEnd(body());
      };
    },
  },
  'anthropic, middleware': {
    first: asUser,
    elements: anthropicElements,
    start(options) {
      const middleware = prunedMessages(options);
      return async (messages, session) => {
        const body = bodyWith({ model: CLAUDE, tools: TOOLS }, messages);
        const request = {
          url: 'https://api.example/v1/messages',
          method: 'POST',
          headers: { 'x-session-id': session },
          body,
        };
        let sent = '';
        await middleware(request, async (one) => {
          sent = String(one.body);
          return new Response('{}');
        });
        return withoutEnd(sent);
      };
    },
  },
  'ai-sdk, middleware': {
    ...modelMessages,
    start(options) {
      const { transformParams } = prunedPrompts(options);
      return async (list, session) => {
        // The AI SDK creates new elements for each call.
        const prompt = list.map((one) => ({ ...one })) as { role: string; content: unknown }[];
        const params = { prompt, tools: TOOLS, providerOptions: { density: { sessionId: session } } };
        return joined((await transformParams({ params, model: { modelId: CLAUDE } })).prompt);
      };
    },
  },
  'ai-sdk, prepareStep': {
    ...modelMessages,
    start(options) {
      const prepareStep = prunedSteps({ ...options, conversation: ({ model }) => String(model) });
      const kept = new Map<string, { role: string; content: unknown }[]>();
      return async (list, session) => {
        // As version 7 does it: what a step returned, and what is new.
        const before = kept.get(session) ?? [];
        const messages = [...before, ...list.slice(before.length)] as { role: string; content: unknown }[];
        const sent = (await prepareStep({ messages, model: session })).messages ?? messages;
        kept.set(session, sent);
        return joined(sent);
      };
    },
  },
  'langchain, wrapModelCall': {
    ...baseMessages,
    start(options) {
      const wrapModelCall = prunedModelCall(options);
      return (list, session) => {
        const request = { messages: list as AnyMessage[], model: { model: GPT }, tools: TOOLS };
        const runtime = { configurable: { thread_id: session } };
        return wrapModelCall({ ...request, runtime }, ({ messages }: typeof request) => joinedMessages(messages));
      };
    },
  },
  'langgraph, preModelHook': {
    ...baseMessages,
    start(options) {
      const hook = prunedModelInput({ ...options, model: GPT });
      return async (list, session) => {
        const config = { configurable: { thread_id: session } };
        return joinedMessages((await hook({ messages: list as AnyMessage[] }, config)).llmInputMessages);
      };
    },
  },
  'openai-agents': {
    first: asUser,
    elements: ({ id: callId, name, input, result }) => [
      { type: 'function_call', callId, name, arguments: JSON.stringify(input), status: 'completed' },
      { type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text: result } },
    ],
    start(options) {
      const filter = prunedInput<string>({ ...options, conversation: (session) => session });
      return async (input, session) =>
        joined((await filter({ modelData: { input }, agent: { model: GPT }, context: session })).input);
    },
  },
  pi: {
    first: asUser,
    elements: ({ id, name, input, result }) => [
      { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: input }], model: CLAUDE },
      { role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text: result }], isError: false },
    ],
    start(options) {
      let session = '';
      const transform = prunedContext({ ...options, conversation: () => session });
      return async (list, one) => {
        session = one;
        return joined(await transform([...list]));
      };
    },
  },
  opencode: {
    first: (text) => ({ info: { role: 'user' }, parts: [{ type: 'text', text }] }),
    elements: ({ id, name, input, result }) => [
      {
        info: { role: 'assistant', modelID: CLAUDE },
        parts: [{ type: 'tool', tool: name, callID: id, state: { status: 'completed', input, output: result } }],
      },
    ],
    start(options) {
      const hook = prunedTransform(options)['experimental.chat.messages.transform'];
      return async (list, session) => {
        const messages = list.map((one) => ({ ...(one as { info: object; parts: object[] }) }));
        messages[0] = { ...messages[0]!, info: { ...messages[0]!.info, sessionID: session } };
        await hook({}, { messages });
        return joined(messages);
      };
    },
  },
};
