import { getEventListeners } from 'node:events';
import type { HumanMessage } from '@langchain/core/messages';
import { describe, expect, test, vi } from 'vitest';
import type { AdapterOptions } from '../../src/adapters/adapter-options.ts';
import { prunedPrompts } from '../../src/adapters/ai-sdk.ts';
import { prunedFetch } from '../../src/adapters/fetch.ts';
import { prunedModelCall, prunedModelInput } from '../../src/adapters/langchain.ts';
import { prunedContext } from '../../src/adapters/pi.ts';
import { stillClock } from '../still-clock.ts';
import { HOOKS } from './hooks.ts';

type Call = (signal: AbortSignal) => Promise<unknown>;
const EXCHANGE = { id: 'c1', name: 'read', input: { path: '/a.ts' }, result: 'a line of the file' };
const listOf = (name: string): object[] => [HOOKS[name]!.first('start'), ...HOOKS[name]!.elements(EXCHANGE)];

/** The adapters that are given the signal of a request: one call of each. */
const CALLS: Readonly<Record<string, (options: AdapterOptions) => Call>> = {
  fetch(options) {
    const pruned = prunedFetch({ ...options, fetch: async () => new Response('{}') });
    const body = JSON.stringify({ model: 'gpt-5', tools: [{}], messages: listOf('fetch, chat completions') });
    return (signal) => pruned('https://api.example/v1/chat/completions', { method: 'POST', body, signal });
  },
  'the AI SDK'(options) {
    const { transformParams } = prunedPrompts(options);
    const prompt = listOf('ai-sdk, middleware') as { role: string; content: unknown }[];
    const model = { modelId: 'gpt-5' };
    return (abortSignal) => transformParams({ params: { prompt, tools: [{}], abortSignal }, model });
  },
  LangChain(options) {
    const wrapModelCall = prunedModelCall(options);
    const request = { messages: listOf('langchain, wrapModelCall') as HumanMessage[], model: {}, tools: [{}] };
    return (signal) => wrapModelCall({ ...request, runtime: { signal } }, async () => 'an answer');
  },
  LangGraph(options) {
    const hook = prunedModelInput(options);
    return (signal) => hook({ messages: listOf('langgraph, preModelHook') as HumanMessage[] }, { signal });
  },
  pi(options) {
    const transform = prunedContext(options);
    return (signal) => transform(listOf('pi'), signal);
  },
};

describe.each(Object.entries(CALLS))('the signal of a request through %s', (_, start) => {
  stillClock();

  test('has no listener after many calls', async () => {
    const { signal } = new AbortController();
    const call = start({});
    for (let calls = 0; calls < 30; calls++) await call(signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends the waiting for a pruner that is not done', async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => {});
    const load = vi.fn(() => {
      controller.abort();
      return never;
    });
    await start({ store: { load, append: () => never } })(controller.signal);
    expect(load).toHaveBeenCalled();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
