import { createAnthropic } from '@ai-sdk/anthropic';
import type { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentMessage, Agent as PiAgent } from '@mariozechner/pi-agent-core';
import { Agent, type AgentInputItem, tool as agentTool, OpenAIResponsesModel, Runner } from '@openai/agents';
import { generateText, jsonSchema, type ModelMessage, streamText, tool, wrapLanguageModel } from 'ai';
import { createAgent, createMiddleware, type WrapModelCallHook } from 'langchain';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { prunedPrompts } from '../../src/adapters/ai-sdk.ts';
import { prunedModelCall } from '../../src/adapters/langchain.ts';
import { prunedInput } from '../../src/adapters/openai-agents.ts';
import { prunedContext } from '../../src/adapters/pi.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { stillClock } from '../still-clock.ts';
import { piModel } from './agent-loops.ts';
import { HOOKS } from './hooks.ts';
import { SCHEMA } from './sdk-loops.ts';

const upstream = new UpstreamServer();
let base: string;
beforeAll(async () => {
  base = (await upstream.start()).origin;
});
afterAll(() => upstream.stop());
stillClock();

const TEXT = Array.from({ length: 160 }, (_, line) => `line ${line} of the file`).join('\n');
/** A file is read twice: the second result becomes a marker. */
const twice = (form: (typeof HOOKS)[string]): object[] => [
  form.first('start'),
  ...['c1', 'c2'].flatMap((id) => form.elements({ id, name: 'read', input: { path: '/a.ts' }, result: TEXT })),
];

/** One request of each SDK that is pruned, with and without the adapter. */
const REQUESTS: Readonly<Record<string, (isPruned: boolean, signal?: AbortSignal) => Promise<unknown>>> = {
  'the AI SDK': (isPruned, signal) => {
    const model = createAnthropic({ apiKey: 'k', baseURL: `${base}/v1` })('claude-haiku-4-5');
    const messages = twice(HOOKS['ai-sdk, middleware']!) as ModelMessage[];
    return generateText({
      model: isPruned ? wrapLanguageModel({ model, middleware: prunedPrompts() }) : model,
      messages,
      tools: { read: tool({ inputSchema: jsonSchema<object>(SCHEMA) }) },
      maxRetries: 0,
      ...(signal && { abortSignal: signal }),
    });
  },
  LangChain: (isPruned, signal) => {
    const model = new ChatOpenAI({
      model: 'gpt-5',
      apiKey: 'k',
      maxRetries: 0,
      configuration: { baseURL: `${base}/v1` },
    });
    const read = langchainTool(() => TEXT, { name: 'read', description: 'read', schema: SCHEMA });
    // LangChain puts what any middleware throws into an error of its own.
    const wrapModelCall: WrapModelCallHook = isPruned ? prunedModelCall() : (request, handler) => handler(request);
    const middleware = [createMiddleware({ name: 'density', wrapModelCall })];
    const agent = createAgent({ model, tools: [read], middleware });
    const messages = twice(HOOKS['langchain, wrapModelCall']!) as HumanMessage[];
    return agent.invoke({ messages }, signal && { signal });
  },
  'OpenAI Agents': (isPruned, signal) => {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${base}/v1`, maxRetries: 0 });
    const parameters = { ...SCHEMA, required: [], additionalProperties: true as const };
    const read = agentTool({ name: 'read', description: 'read', parameters, strict: false, execute: () => TEXT });
    const model = new OpenAIResponsesModel(client, 'gpt-5');
    const agent = new Agent({ name: 'worker', model, modelSettings: { store: false }, tools: [read] });
    const runner = new Runner({ tracingDisabled: true, ...(isPruned && { callModelInputFilter: prunedInput() }) });
    return runner.run(agent, twice(HOOKS['openai-agents']!) as AgentInputItem[], signal && { signal });
  },
  pi: async (isPruned, signal) => {
    const execute = async () => ({ content: [], details: {} });
    const tools = [{ name: 'read', label: 'read', description: 'read', parameters: SCHEMA as never, execute }];
    const messages = twice(HOOKS['pi']!) as AgentMessage[];
    const agent = new PiAgent({
      initialState: { systemPrompt: '', model: piModel(base), tools, messages },
      getApiKey: () => 'k',
      ...(isPruned && { transformContext: prunedContext() }),
    });
    const abort = (): void => agent.abort();
    signal?.addEventListener('abort', abort);
    const ended = agent.continue();
    if (signal?.aborted) abort();
    await ended;
    // pi throws nothing: its last message says what went wrong.
    const { stopReason: name, errorMessage } = agent.state.messages.at(-1) as {
      stopReason?: string;
      errorMessage?: string;
    };
    throw Object.assign(new Error(errorMessage), { name });
  },
};

/** Adapters that see only the list: a refused request is not sent again. */
const SEND_ONCE = ['OpenAI Agents', 'pi'];

const thrownBy = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await call.then(
    () => new Error('nothing thrown'),
    (one: Error) => one,
  );
  const { name, message } = error;
  const { status, statusCode } = error as { status?: number; statusCode?: number };
  return { name, message, kind: error.constructor.name, status: status ?? statusCode };
};

describe.each(Object.entries(REQUESTS))('%s', (sdk, send) => {
  test.each([400, 401, 429, 500, 529])('throws the same for a status of %i', async (status) => {
    const bodies: string[] = [];
    upstream.answer = (response, { body }) => {
      bodies.push(body.toString());
      response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'In its own words.' } }));
    };
    const thrown = [await thrownBy(send(false)), await thrownBy(send(true))];
    expect(thrown[1]).toEqual(thrown[0]);
    // What is refused with its changes is sent once more as it was.
    const isSentAgain = status === 400 && !SEND_ONCE.includes(sdk);
    const pruned = bodies.map((body) => body.includes('⟦density: '));
    expect(pruned).toEqual(isSentAgain ? [false, true, false] : [false, true]);
    if (isSentAgain) expect(bodies[2]).toBe(bodies[0]);
  });

  test('throws the same when it is aborted, although no time passes', async () => {
    const thrown = [];
    for (const isPruned of [false, true]) {
      const controller = new AbortController();
      upstream.answer = () => controller.abort();
      thrown.push([
        await thrownBy(send(isPruned, controller.signal)),
        await thrownBy(send(isPruned, AbortSignal.abort())),
      ]);
    }
    expect(thrown[1]).toEqual(thrown[0]);
    expect(JSON.stringify(thrown)).not.toContain('nothing thrown');
  });
});

test('a stream of the AI SDK that is refused with its changes goes on with the original', async () => {
  const bodies: string[] = [];
  upstream.answer = (response, { body }) => {
    bodies.push(body.toString());
    response.writeHead(bodies.length === 1 ? 400 : 500, { 'content-type': 'application/json' });
    response.end('{"type":"error","error":{"type":"some_error","message":"No."}}');
  };
  const model = createAnthropic({ apiKey: 'k', baseURL: `${base}/v1` })('claude-haiku-4-5');
  const streamed = streamText({
    model: wrapLanguageModel({ model, middleware: prunedPrompts() }),
    messages: twice(HOOKS['ai-sdk, middleware']!) as ModelMessage[],
    tools: { read: tool({ inputSchema: jsonSchema<object>(SCHEMA) }) },
    maxRetries: 0,
    onError: () => {},
  });
  await streamed.consumeStream();
  expect(bodies.map((body) => body.includes('⟦density: '))).toEqual([true, false]);
});

describe('a history that the server keeps', () => {
  test('goes through the AI SDK with one warning', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { transformParams } = prunedPrompts();
    const prompt = twice(HOOKS['ai-sdk, middleware']!) as { role: string; content: unknown }[];
    const model = { modelId: 'gpt-5' };
    for (const openai of [{ previousResponseId: 'r' }, { conversation: 'c' }]) {
      const params = { prompt, tools: [{}], providerOptions: { openai } };
      expect(await transformParams({ params, model })).toBe(params);
    }
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test('goes through the filter of OpenAI Agents with one warning: results without their calls', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const filter = prunedInput();
    const input = twice(HOOKS['openai-agents']!).filter((item) => !JSON.stringify(item).includes('"function_call"'));
    for (const _ of [1, 2]) {
      const modelData = { input };
      expect(await filter({ modelData, agent: { model: 'gpt-5' }, context: undefined })).toBe(modelData);
    }
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
