import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import {
  type AgentMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
} from 'langchain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prunedModelCall } from '../../src/adapters/langchain.ts';
import { stillClock } from '../still-clock.ts';
import { resultTexts, ScriptedProvider } from './scripted-provider.ts';
import { SCHEMA } from './sdk-loops.ts';

const TEXT = Array.from({ length: 500 }, (_, line) => `line ${line} of the file`).join('\n');
const CONFIG = { configurable: { thread_id: 'one' } };

stillClock();

let provider: ScriptedProvider;
let base: string;
beforeEach(async () => {
  provider = new ScriptedProvider([]);
  base = await provider.start();
});
afterEach(() => provider.stop());

/** The same page, shown four times. No rule makes it stale. */
const messages: BaseMessage[] = [
  new HumanMessage('start'),
  ...['c1', 'c2', 'c3', 'c4'].flatMap((id) => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'show', args: { path: '/a' }, type: 'tool_call' }] }),
    new ToolMessage({ content: TEXT, tool_call_id: id, name: 'show' }),
  ]),
];

/** The results in the checkpoint after one call of the model, and those that the model got. */
async function resultsWith(middleware: AgentMiddleware): Promise<{ kept: unknown[]; sent: string[] }> {
  const model = new ChatOpenAI({ model: 'gpt-5', apiKey: 'k', configuration: { baseURL: `${base}/v1` } });
  const show = tool(() => TEXT, { name: 'show', description: 'show', schema: SCHEMA });
  const agent = createAgent({ model, tools: [show], checkpointer: new MemorySaver(), middleware: [middleware] });
  await agent.invoke({ messages: [...messages] }, CONFIG);
  const { values } = (await agent.graph.getState(CONFIG)) as { values: { messages: BaseMessage[] } };
  const kept = values.messages.filter(({ type }) => type === 'tool').map(({ content }) => content);
  return { kept, sent: resultTexts('openai-chat', provider.requests.at(-1)?.body) };
}

describe('the checkpoint of an agent', () => {
  test('contains every original result, also of which the model got a shorter form', async () => {
    const { kept, sent } = await resultsWith(createMiddleware({ name: 'density', wrapModelCall: prunedModelCall() }));
    expect(kept).toEqual([TEXT, TEXT, TEXT, TEXT]);
    // The provider may have cached what others sent before; only the last one is surely new.
    expect(sent.slice(0, -1)).toEqual([TEXT, TEXT, TEXT]);
    expect(sent.at(-1)).toMatch(/^⟦density: 500 lines/);
  });

  test('has lost them where the `contextEditingMiddleware` of LangChain shortened what the model got', async () => {
    const edit = new ClearToolUsesEdit({ trigger: { tokens: 1_000 }, keep: { messages: 1 } });
    const { kept, sent } = await resultsWith(contextEditingMiddleware({ edits: [edit] }));
    expect(sent).toEqual(['[cleared]', '[cleared]', '[cleared]', TEXT]);
    expect(kept).toEqual(sent);
  });
});
