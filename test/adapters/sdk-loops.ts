import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from 'ai';
import OpenAI from 'openai';
import type { AdapterOptions } from '../../src/adapters/adapter-options.ts';
import { prunedMessages } from '../../src/adapters/anthropic.ts';
import { prunedFetch } from '../../src/adapters/fetch.ts';
import { resultOf as scriptedResult } from './scripted-provider.ts';

/** A program that talks to a model through an SDK: it keeps the record, and appends to it what each call brings. */
export interface SdkLoop {
  readonly record: readonly unknown[];
  /** One call of the model, and the tool that it asked for. */
  step(): Promise<void>;
}

export interface LoopFacts {
  readonly base: string;
  readonly session: string;
  readonly options: AdapterOptions;
  /** The tools, and what each call returns; default: those of the scripted steps. */
  readonly names?: readonly string[];
  readonly resultOf?: (call: number) => string;
}

export const CLAUDE = 'claude-haiku-4-5';
export const GPT = 'gpt-5';
export const SCHEMA = { type: 'object' as const, properties: {} };
export const NAMES = ['read', 'write', 'bash'];
export const ask = (session: string): string => `Do it, please: ${session}`;

function chatLoop({ base, session, options, names = NAMES, resultOf = scriptedResult }: LoopFacts): SdkLoop {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${base}/v1`, maxRetries: 0, fetch: prunedFetch(options) });
  const record: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: ask(session) }];
  const tools = names.map((name) => ({ type: 'function' as const, function: { name, parameters: SCHEMA } }));
  let calls = 0;
  const step = async (): Promise<void> => {
    const { choices } = await client.chat.completions.create({ model: GPT, messages: record, tools });
    const { message } = choices[0]!;
    record.push(message);
    for (const { id } of message.tool_calls ?? [])
      record.push({ role: 'tool', tool_call_id: id, content: resultOf(calls++) });
  };
  return { record, step };
}

function responsesLoop({ base, session, options, names = NAMES, resultOf = scriptedResult }: LoopFacts): SdkLoop {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${base}/v1`, maxRetries: 0, fetch: prunedFetch(options) });
  const record: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: ask(session) }];
  const tools = names.map((name) => ({ type: 'function' as const, name, parameters: SCHEMA, strict: false }));
  let calls = 0;
  const step = async (): Promise<void> => {
    const { output } = await client.responses.create({ model: GPT, input: record, tools, store: false });
    record.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    for (const item of output)
      if (item.type === 'function_call')
        record.push({ type: 'function_call_output', call_id: item.call_id, output: resultOf(calls++) });
  };
  return { record, step };
}

const messagesLoop =
  (clientOf: (facts: LoopFacts) => Anthropic) =>
  (facts: LoopFacts): SdkLoop => {
    const { names = NAMES, resultOf = scriptedResult } = facts;
    const client = clientOf(facts);
    const record: Anthropic.MessageParam[] = [{ role: 'user', content: ask(facts.session) }];
    const tools = names.map((name) => ({ name, input_schema: SCHEMA }));
    let calls = 0;
    const step = async (): Promise<void> => {
      const stream = client.messages.stream({ model: CLAUDE, max_tokens: 100, messages: record, tools });
      const { content } = await stream.finalMessage();
      record.push({ role: 'assistant', content });
      const results = content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: resultOf(calls++) }]
          : [],
      );
      if (results.length > 0) record.push({ role: 'user', content: results });
    };
    return { record, step };
  };

export const aiSdkLoop =
  (modelOf: (facts: LoopFacts) => LanguageModel) =>
  (facts: LoopFacts): SdkLoop => {
    const { names = NAMES, resultOf = scriptedResult } = facts;
    const model = modelOf(facts);
    const record: ModelMessage[] = [{ role: 'user', content: ask(facts.session) }];
    const tools: ToolSet = Object.fromEntries(
      names.map((name) => [name, tool({ inputSchema: jsonSchema<object>(SCHEMA) })]),
    );
    let calls = 0;
    const step = async (): Promise<void> => {
      const { response, toolCalls } = await generateText({ model, messages: record, tools, maxRetries: 0 });
      record.push(...response.messages);
      for (const { toolCallId, toolName } of toolCalls) {
        const output = { type: 'text' as const, value: resultOf(calls++) };
        record.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
      }
    };
    return { record, step };
  };

/** Every way to put high-density between an SDK and its provider, by the name of the test. */
export const SDK_LOOPS: Readonly<Record<string, (facts: LoopFacts) => SdkLoop>> = {
  'openai, chat completions, fetch': chatLoop,
  'openai, responses, fetch': responsesLoop,
  '@anthropic-ai/sdk, fetch': messagesLoop(
    ({ base, options }) => new Anthropic({ apiKey: 'k', baseURL: base, maxRetries: 0, fetch: prunedFetch(options) }),
  ),
  '@anthropic-ai/sdk, middleware': messagesLoop(
    ({ base, options }) =>
      new Anthropic({ apiKey: 'k', baseURL: base, maxRetries: 0, middleware: [prunedMessages(options)] }),
  ),
  'ai and @ai-sdk/anthropic, fetch': aiSdkLoop(({ base, options }) =>
    createAnthropic({ apiKey: 'k', baseURL: `${base}/v1`, fetch: prunedFetch(options) })(CLAUDE),
  ),
  'ai and @ai-sdk/openai, fetch': aiSdkLoop(({ base, options }) =>
    createOpenAI({ apiKey: 'k', baseURL: `${base}/v1`, fetch: prunedFetch(options) }).chat(GPT),
  ),
  'ai and @ai-sdk/google, fetch': aiSdkLoop(({ base, options }) =>
    createGoogleGenerativeAI({ apiKey: 'k', baseURL: `${base}/v1beta`, fetch: prunedFetch(options) })('gemini-2.5-pro'),
  ),
};
