import { readFile } from 'node:fs/promises';
import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { prunedModelInput } from 'high-density/langchain';
import { z } from 'zod';

const read = tool(({ path }) => readFile(path, 'utf8'), { name: 'read', schema: z.object({ path: z.string() }) });

const preModelHook = prunedModelInput({ model: 'gpt-5', workspaceRoot: process.cwd() });

/** What the agent answers after as many calls of its tool as it wants. */
export async function answer(prompt: string): Promise<string> {
  const agent = createReactAgent({ llm: new ChatOpenAI({ model: 'gpt-5' }), tools: [read], preModelHook });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return String(messages.at(-1)?.content);
}
