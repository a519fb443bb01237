import { readFile } from 'node:fs/promises';
import { ChatOpenAI } from '@langchain/openai';
import { prunedModelCall } from 'high-density/langchain';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';

const read = tool(({ path }) => readFile(path, 'utf8'), { name: 'read', schema: z.object({ path: z.string() }) });

const wrapModelCall = prunedModelCall({ workspaceRoot: process.cwd() });
const middleware = [createMiddleware({ name: 'density', wrapModelCall })];

/** What the agent answers after as many calls of its tool as it wants. */
export async function answer(prompt: string): Promise<string> {
  const agent = createAgent({ model: new ChatOpenAI({ model: 'gpt-5' }), tools: [read], middleware });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return String(messages.at(-1)?.content);
}
