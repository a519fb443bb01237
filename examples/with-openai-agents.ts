import { readFile } from 'node:fs/promises';
import { Agent, Runner, tool } from '@openai/agents';
import { prunedInput } from 'high-density/openai-agents';
import { z } from 'zod';

const parameters = z.object({ path: z.string() });
const execute = ({ path }: { path: string }) => readFile(path, 'utf8');
const read = tool({ name: 'read', description: 'Reads a file', parameters, execute });

const callModelInputFilter = prunedInput({ model: 'gpt-5', workspaceRoot: process.cwd() });

/** What the agent answers after as many calls of its tool as it wants. */
export async function answer(prompt: string): Promise<string> {
  const runner = new Runner({ callModelInputFilter, tracingDisabled: true });
  const { finalOutput } = await runner.run(new Agent({ name: 'Reader', model: 'gpt-5', tools: [read] }), prompt);
  return String(finalOutput);
}
