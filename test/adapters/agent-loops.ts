import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentTool, Agent as PiAgent } from '@mariozechner/pi-agent-core';
import {
  Agent,
  tool as agentTool,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
} from '@openai/agents';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { createAgent, createMiddleware } from 'langchain';
import OpenAI from 'openai';
import { prunedPrompts, prunedSteps } from '../../src/adapters/ai-sdk.ts';
import { prunedModelCall, prunedModelInput } from '../../src/adapters/langchain.ts';
import { prunedInput } from '../../src/adapters/openai-agents.ts';
import { prunedContext } from '../../src/adapters/pi.ts';
import { gatedRun, type RunTool } from './gated-run.ts';
import { aiSdkLoop, ask, CLAUDE, GPT, type LoopFacts, NAMES, SCHEMA, type SdkLoop } from './sdk-loops.ts';

const anthropicModel = ({ base }: LoopFacts) => createAnthropic({ apiKey: 'k', baseURL: `${base}/v1` })(CLAUDE);
const chatModel = ({ base }: LoopFacts) => createOpenAI({ apiKey: 'k', baseURL: `${base}/v1` }).chat(GPT);

function preparedSteps(facts: LoopFacts): SdkLoop {
  const record: ModelMessage[] = [{ role: 'user', content: ask(facts.session) }];
  let said: readonly ModelMessage[] = [];
  const run = (runTool: RunTool) => {
    const tools: ToolSet = Object.fromEntries(
      (facts.names ?? NAMES).map((name) => [
        name,
        tool({ inputSchema: jsonSchema<object>(SCHEMA), execute: () => runTool() }),
      ]),
    );
    return generateText({
      model: anthropicModel(facts),
      messages: record,
      tools,
      maxRetries: 0,
      stopWhen: stepCountIs(100),
      prepareStep: prunedSteps(facts.options),
      onStepFinish: ({ response }) => {
        said = response.messages;
      },
    });
  };
  return gatedRun(facts, run, () => [...record, ...said]);
}

const langchainModel = ({ base }: LoopFacts): ChatOpenAI =>
  new ChatOpenAI({ model: GPT, apiKey: 'k', maxRetries: 0, configuration: { baseURL: `${base}/v1` } });

const langchainTools = ({ names = NAMES }: LoopFacts, runTool: RunTool) =>
  names.map((name) => langchainTool(() => runTool(), { name, description: name, schema: SCHEMA }));

interface Graph {
  invoke(state: { messages: HumanMessage[] }, config: object): Promise<unknown>;
  getState(config: object): Promise<{ values: { messages?: { toDict(): object }[] } }>;
}

const graphLoop =
  (graphOf: (facts: LoopFacts, runTool: RunTool) => unknown) =>
  (facts: LoopFacts): SdkLoop => {
    const config = { configurable: { thread_id: facts.session }, recursionLimit: 1_000 };
    let graph: Graph;
    const run = (runTool: RunTool) => {
      graph = graphOf(facts, runTool) as Graph;
      return graph.invoke({ messages: [new HumanMessage(ask(facts.session))] }, config);
    };
    return gatedRun(facts, run, async () => {
      const { values } = await graph.getState(config);
      return JSON.parse(JSON.stringify((values.messages ?? []).map((message) => message.toDict()))) as unknown[];
    });
  };

const agentsLoop =
  (modelOf: (client: OpenAI) => OpenAIChatCompletionsModel | OpenAIResponsesModel) =>
  (facts: LoopFacts): SdkLoop => {
    const { base, session: name, options, names = NAMES } = facts;
    const client = new OpenAI({ apiKey: 'k', baseURL: `${base}/v1`, maxRetries: 0 });
    const session = new MemorySession();
    const run = (runTool: RunTool) => {
      const tools = names.map((one) =>
        agentTool({
          name: one,
          description: one,
          parameters: { ...SCHEMA, required: [], additionalProperties: true },
          strict: false,
          execute: () => runTool(),
        }),
      );
      const agent = new Agent({ name: 'worker', model: modelOf(client), modelSettings: { store: false }, tools });
      const runner = new Runner({
        tracingDisabled: true,
        callModelInputFilter: prunedInput({ model: GPT, ...options }),
      });
      return runner.run(agent, ask(name), { session, maxTurns: 100 });
    };
    return gatedRun(facts, run, () => session.getItems());
  };

export const piModel = (baseUrl: string) => ({
  id: CLAUDE,
  name: CLAUDE,
  api: 'anthropic-messages' as const,
  provider: 'anthropic',
  baseUrl,
  reasoning: false,
  input: ['text' as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 1_000,
});

function piLoop(facts: LoopFacts): SdkLoop {
  const { base, session, options, names = NAMES } = facts;
  let agent: PiAgent;
  const run = (runTool: RunTool) => {
    const tools = names.map(
      (name): AgentTool => ({
        name,
        label: name,
        description: name,
        parameters: SCHEMA as never,
        execute: async () => ({ content: [{ type: 'text', text: await runTool() }], details: {} }),
      }),
    );
    agent = new PiAgent({
      initialState: { systemPrompt: '', model: piModel(base), tools },
      getApiKey: () => 'k',
      transformContext: prunedContext(options),
    });
    return agent.prompt(ask(session));
  };
  return gatedRun(facts, run, () => agent.state.messages);
}

/** Agents of frameworks: they run their tools themselves, and keep the record. */
export const AGENT_LOOPS: Readonly<Record<string, (facts: LoopFacts) => SdkLoop>> = {
  'ai and @ai-sdk/anthropic, middleware': aiSdkLoop((facts) =>
    wrapLanguageModel({ model: anthropicModel(facts), middleware: prunedPrompts(facts.options) }),
  ),
  'ai and @ai-sdk/openai, middleware': aiSdkLoop((facts) =>
    wrapLanguageModel({ model: chatModel(facts), middleware: prunedPrompts(facts.options) }),
  ),
  'ai and @ai-sdk/anthropic, prepareStep': preparedSteps,
  'langchain, wrapModelCall': graphLoop((facts, runTool) =>
    createAgent({
      model: langchainModel(facts),
      tools: langchainTools(facts, runTool),
      checkpointer: new MemorySaver(),
      middleware: [createMiddleware({ name: 'density', wrapModelCall: prunedModelCall(facts.options) })],
    }),
  ),
  'langgraph, preModelHook': graphLoop((facts, runTool) =>
    createReactAgent({
      llm: langchainModel(facts),
      tools: langchainTools(facts, runTool),
      checkpointer: new MemorySaver(),
      preModelHook: prunedModelInput({ ...facts.options, model: GPT }),
    }),
  ),
  '@openai/agents, chat completions': agentsLoop((client) => new OpenAIChatCompletionsModel(client, GPT)),
  '@openai/agents, responses': agentsLoop((client) => new OpenAIResponsesModel(client, GPT)),
  pi: piLoop,
};
