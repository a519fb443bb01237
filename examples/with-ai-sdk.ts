import { readFile } from 'node:fs/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { prunedPrompts } from 'high-density/ai-sdk';
import { z } from 'zod';

const middleware = prunedPrompts({ workspaceRoot: process.cwd() });
const model = () => wrapLanguageModel({ model: createAnthropic()('claude-haiku-4-5'), middleware });

const read = tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => readFile(path, 'utf8') });

/** What the agent answers after as many calls of its tool as it wants. */
export async function answer(prompt: string): Promise<string> {
  const { text } = await generateText({ model: model(), prompt, tools: { read }, stopWhen: stepCountIs(50) });
  return text;
}
